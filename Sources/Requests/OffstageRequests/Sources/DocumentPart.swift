/// A part of a document, such as a page, with its own picture and cache entry.
package struct DocumentPart: Sendable {
    /// The suffix that the part adds to the identifier of its document: `/p001.annotated`.
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
    /// The parts of a document; nil if it is one picture. This may need a worker, and blocks the thread.
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
