/// The facts that a document states about itself, determined without drawing it, for `offstage info`. All texts are
/// untrusted.
package struct SourceInfo: Sendable {
    /// The keys and values of the JSON line.
    package var values: [String: JSONValue]
    /// The lines for people, without the document's name. The first one is the summary.
    package var lines: [String]
    /// The number of matches of `--find`; 0 without a search.
    package var found = 0

    package init(values: [String: JSONValue], lines: [String]) {
        self.values = values
        self.lines = lines
    }
}

/// Describes the documents of a source.
package typealias SourceDescription = @Sendable (SourceDocument, ParsedOptions) async throws -> SourceInfo
