import Offstage

/// The table of options, their values, and the sources that have them: the declarations of all registered sources. It decides for
/// the command line, rows, the pipe, HTTP and the C library which values are wrong, which options a document gets, and
/// which have no effect.
///
/// An option of a run is meant for all its documents. It applies to documents whose source has the option and accepts
/// the value.
package struct OptionUse: Sendable {
    private let options: ParsedOptions
    private let sources: [RegisteredSource]

    /// - Parameter sources: the sources that the run may have. Default all.
    package init(_ options: ParsedOptions, among sources: [RegisteredSource] = SourceRegistry.all) {
        (self.options, self.sources) = (options, sources)
    }

    /// Checks the values of all options, even of options that none of the sources has.
    ///
    /// - Throws: the error of the first source that has the option and rejects its value, if no other source accepts
    ///   the value. Options are checked in alphabetical order, so that the message is always the same.
    package func check() throws(UsageError) {
        for name in options.values.keys.sorted() {
            let own = sources.filter { $0.option(name) != nil }
            let holders = own.isEmpty ? SourceRegistry.all : own
            if holders.contains(where: { accepts(name, $0) }) { continue }
            for source in holders { try source.option(name)?.check(options) }
        }
    }

    /// The options for a document of a source: without the values that only other sources accept.
    package func options(for source: RegisteredSource) -> ParsedOptions {
        var foreign: [String: [String]?] = [:]
        for name in options.values.keys where source.option(name) != nil && !accepts(name, source) {
            if sources.contains(where: { $0 !== source && accepts(name, $0) }) { foreign[name] = .some(nil) }
        }
        return foreign.isEmpty ? options : options.overlaid(with: foreign)
    }

    /// True if the source has the option and accepts its value.
    private func accepts(_ name: String, _ source: RegisteredSource) -> Bool {
        guard let option = source.option(name) else { return false }
        return (try? option.check(options)) != nil
    }

    /// A line about each option that has no effect on documents of the sources, in alphabetical order. Leaves out
    /// limits, which a document cannot exceed if its source does not have them, and the user's settings, which apply to
    /// every run.
    ///
    /// - Parameter rowsAdd: true if documents may have further options of their own. An option that needs another one
    ///   may then have an effect.
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

    /// A warning about each of a row's own options that has no effect, in alphabetical order. Such a warning does not
    /// make the picture incomplete.
    ///
    /// - Parameter names: the row's own options; the others are the run's options.
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

    /// The options that correspond to an option of a different name in other sources.
    private static let siblings: [String: [String: String]] = [
        "image": ["page": "frame", "pages": "frame", "clip": "crop", "max-width": "width", "max-height": "height"],
        "pdf": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
        "ink": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
    ]
}
