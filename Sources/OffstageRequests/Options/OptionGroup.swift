/// The headings under which `--help` and the man page list options, in their order.
package enum OptionGroup: String, CaseIterable, Sendable {
    case input = "Input"
    case output = "Output"
    case size = "Size and part"
    case appearance = "Appearance"
    case loading = "Scripts, files and network"
    case service = "Service"
    case cache = "Cache"
    case limits = "Limits"
    case run = "Run"
    case other = "Other options"
}

extension [OptionTable.Option] {
    /// Puts these options under a heading, except those that already have one.
    package func grouped(_ group: OptionGroup) -> [OptionTable.Option] {
        map { option in
            var option = option
            if option.group == .other { option.group = group }
            return option
        }
    }
}

extension OptionTable {
    /// A heading and its options.
    package struct Section {
        package var title: String
        package var options: [Option]
    }

    /// Every option once: the most used ones first, the others by group. A short table has one section.
    package var sections: [Section] {
        if common.isEmpty { return [Section(title: "Options", options: all)] }
        let first = common.compactMap { name in all.first { $0.name == name } }
        let rest = all.filter { !common.contains($0.name) }
        let groups = OptionGroup.allCases.map { group in
            Section(title: group.rawValue, options: rest.filter { $0.group == group })
        }
        return [Section(title: "Most used", options: first)] + groups.filter { !$0.options.isEmpty }
    }
}
