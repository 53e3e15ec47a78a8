import OffstageRequests

/// The options of a run over files of several kinds. A value that only some of the sources know, such as `--fit cover` beside
/// `--fit 800x600`, applies to those and not to the others, like an option that a source does not have.
struct MixedOptions {
    private let options: ParsedOptions
    private let sources: [RegisteredSource]

    /// - Parameter sources: those of the run's files.
    init(_ options: ParsedOptions, of sources: [RegisteredSource]) {
        (self.options, self.sources) = (options, sources)
    }

    /// The options for one of the sources.
    func options(for source: RegisteredSource) -> ParsedOptions {
        if sources.count < 2 { return options }
        var unknown: [String: [String]?] = [:]
        for (name, values) in options.values where !source.accepts(name, values) {
            if sources.contains(where: { $0 !== source && $0.accepts(name, values) }) { unknown[name] = .some(nil) }
        }
        return options.overlaid(with: unknown)
    }
}
