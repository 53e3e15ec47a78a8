import OffstageRequests

/// An option of a command line that no source of its inputs has. It would have no effect. Limits are not among them: a document keeps a
/// limit that its source does not have.
struct UnusedOption {
    private let name: String
    private let sources: [RegisteredSource]

    /// The first one in the alphabet, so that the message is always the same; nil if all options have an effect.
    init?(_ options: ParsedOptions, of sources: [RegisteredSource]) {
        let known = SourceRegistry.options + SourceRegistry.parts
        let unused = known.map(\.name).filter { name in
            options.has(name) && !sources.contains { $0.hasOption(name) }
        }
        guard let first = unused.min(), !sources.isEmpty else { return nil }
        (name, self.sources) = (first, sources)
    }

    var error: UsageError { UsageError("--\(name) is not an option of \(files); \(remedy)") }

    /// For inputs that may change: other files can come into a folder.
    var warning: String { "--\(name) has no effect on \(files); \(remedy)" }

    private var files: String { sources.map(\.name).formatted("and") + " files" }

    private var remedy: String {
        let sibling = sources.count == 1 ? Self.siblings[sources[0].name]?[name] : nil
        return sibling.map { "use --\($0)" } ?? "leave it out"
    }

    /// The options that do for a source what others do for other sources.
    private static let siblings: [String: [String: String]] = [
        "image": ["page": "frame", "pages": "frame", "clip": "crop", "max-width": "width", "max-height": "height"],
        "pdf": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
        "ink": ["frame": "page", "crop": "clip", "max-width": "width", "max-height": "height"],
    ]
}
