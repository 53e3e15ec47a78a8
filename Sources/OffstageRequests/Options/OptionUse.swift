import Offstage

/// The table of options, their values, and the sources that have them: the declarations of all registered sources. It decides for
/// the command line, rows, the pipe, HTTP and the C library which values are wrong, which options a document gets, and
/// which have no effect.
///
/// An option of a run is for all its documents. It applies to those whose source has the option and takes the value.
package struct OptionUse: Sendable {
    private let options: ParsedOptions
    private let sources: [RegisteredSource]

    /// - Parameter sources: those that the run may have. Default all.
    package init(_ options: ParsedOptions, among sources: [RegisteredSource] = SourceRegistry.all) {
        (self.options, self.sources) = (options, sources)
    }

    /// Checks the values of all options, also of those that none of the sources has.
    ///
    /// - Throws: the error of the first source that has the option and rejects its value, if no other one takes the value. The
    ///   first option in the alphabet, so that the message is always the same.
    package func check() throws(UsageError) {
        for name in options.values.keys.sorted() {
            let own = sources.filter { $0.option(name) != nil }
            let holders = own.isEmpty ? SourceRegistry.all : own
            if holders.contains(where: { accepts(name, $0) }) { continue }
            for source in holders { try source.option(name)?.check(options) }
        }
    }

    /// The options for a document of a source: without the values that only other sources take.
    package func options(for source: RegisteredSource) -> ParsedOptions {
        var foreign: [String: [String]?] = [:]
        for name in options.values.keys where source.option(name) != nil && !accepts(name, source) {
            if sources.contains(where: { $0 !== source && accepts(name, $0) }) { foreign[name] = .some(nil) }
        }
        return foreign.isEmpty ? options : options.overlaid(with: foreign)
    }

    /// True if the source has the option and takes its value.
    private func accepts(_ name: String, _ source: RegisteredSource) -> Bool {
        guard let option = source.option(name) else { return false }
        return (try? option.check(options)) != nil
    }

    /// A line about each option that has no effect on documents of the sources, in alphabetical order. Limits are not among
    /// them: a document keeps a limit that its source does not have. Nor are the user's settings, which are for every run.
    ///
    /// - Parameter rowsAdd: true if documents may have further options of their own, so that one that needs another may have an effect.
    package func withoutEffect(rowsAdd: Bool = false) -> [String] {
        if sources.isEmpty { return [] }
        let known = SourceRegistry.effectiveNames
        return options.values.keys.sorted().compactMap { name in
            guard known.contains(name), options.origins[name] == nil else { return nil }
            let holders = sources.filter { $0.isAffected(by: name) }
            if holders.isEmpty { return "--\(name) has no effect on \(files); \(remedy(name))" }
            if !rowsAdd, let need = OptionNeed.unmet(name, options, by: holders) {
                return "--\(name) has no effect \(need.condition); \(need.remedy)"
            }
            return nil
        }
    }

    /// A warning about each of a row's own options that has no effect, in alphabetical order. It does not make the picture
    /// incomplete.
    ///
    /// - Parameter names: the row's own options; the other ones are the run's.
    func unused(among names: some Sequence<String>) -> [DrawingWarning] {
        names.sorted().compactMap { name in
            guard let need = OptionNeed.unmet(name, options, by: sources), !need.isOfRun else { return nil }
            return DrawingWarning(.optionUnused, name, reason: need.condition)
        }
    }

    private var files: String { sources.map(\.name).formatted("and") + " files" }

    private func remedy(_ name: String) -> String {
        let sibling = sources.count == 1 ? Self.siblings[sources[0].name]?[name] : nil
        return sibling.map { "use --\($0)" } ?? "leave it out"
    }

    /// The options with which a source does the same as others with another option.
    private static let siblings: [String: [String: String]] = [
        "image": ["page": "frame", "pages": "frame", "clip": "crop", "max-width": "width", "max-height": "height"],
        "pdf": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
        "ink": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
    ]
}
