/// A part of a document that is a picture, and a cache entry, of its own, such as a page.
package struct DocumentPart: Sendable {
    /// The part's addition to the identifier of its document: `/p001.annotated`.
    package var suffix: String
    /// The options of the part, as a row would have them.
    package var options: [String: JSONValue]

    package init(suffix: String, options: [String: JSONValue]) {
        self.suffix = suffix
        self.options = options
    }
}

/// Divides the documents of a source on the command line.
package struct DocumentParts: Sendable {
    /// The options that only `render` has.
    package let options: [OptionTable.Option]
    /// The parts of a document; nil if it is one picture. It may take a worker's time, and blocks the thread.
    ///
    /// - Throws: `UsageError` for an invalid option. A document that cannot be read has one part, which fails when it is drawn.
    package let list: @Sendable (SourceDocument, ParsedOptions) throws(UsageError) -> [DocumentPart]?

    package init(
        options: [OptionTable.Option],
        list: @escaping @Sendable (SourceDocument, ParsedOptions) throws(UsageError) -> [DocumentPart]?
    ) {
        self.options = options
        self.list = list
    }
}
