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

    /// Every option once: the most used ones first, then those of a run and of all sources, by group, and those of each source. A short
    /// table has one section.
    package var sections: [Section] {
        if common.isEmpty { return [Section(title: "Options", options: all)] }
        let first = common.compactMap { name in all.first { $0.name == name } }
        let rest = all.filter { !common.contains($0.name) }
        let groups = OptionGroup.allCases.flatMap { group in
            [Section(title: group.rawValue, options: rest.filter { $0.group == group && $0.ownSources.isEmpty })]
                + (group == .loading ? Self.bySource(rest) : [])
        }
        return [Section(title: "Most used", options: first)] + groups.filter { !$0.options.isEmpty }
    }

    /// The options of some sources, but not of all: those of several sources with the sources' names, then each
    /// source's own.
    private static func bySource(_ options: [Option]) -> [Section] {
        let several = options.filter { $0.ownSources.count > 1 }.map { option in
            var option = option
            option.help += " [\(option.ownSources.map(\.name).joined(separator: ", "))]"
            return option
        }
        return [Section(title: "Several sources", options: several)]
            + SourceRegistry.all.map { source in
                Section(
                    title: "\(source.title) (\(source.name))",
                    options: options.filter { $0.ownSources.map(\.name) == [source.name] })
            }
    }

    /// The options that the documents of a source have, as the source declares them; empty if the command does not have
    /// any of them.
    package func sections(for source: RegisteredSource) -> [Section] {
        let taken = options.filter { source.takesAnywhere($0.name) }.map { option in
            var option = option
            if let own = source.option(option.name) { (option.value, option.help) = (own.value, own.help) }
            return option
        }
        let limits = taken.filter { $0.group == .limits }
        let others = taken.filter { $0.group != .limits }
        let own = others.filter { $0.ownSources.count == 1 }
        let shared = others.filter { $0.ownSources.count != 1 }
        return [
            Section(title: "Options of \(source.name) alone", options: own),
            Section(title: "Options that other sources have, too", options: shared),
            Section(title: OptionGroup.limits.rawValue, options: limits),
        ].filter { !$0.options.isEmpty }
    }
}

extension OptionTable.Option {
    /// The sources that have the option. Nil if all or none do, or if it is a limit.
    fileprivate var ownSources: [RegisteredSource] {
        if group == .limits { return [] }
        let sources = SourceRegistry.all
        let holders = sources.filter { $0.option(name) != nil }
        return holders.count == sources.count ? [] : holders
    }
}
