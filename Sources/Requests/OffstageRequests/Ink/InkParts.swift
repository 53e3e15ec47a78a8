import OffstageInk

/// The pages and variants of a document that `render` draws.
enum InkParts {
    /// - Throws: `UsageError`
    static func list(_ document: SourceDocument, _ options: ParsedOptions) throws(UsageError) -> [DocumentPart]? {
        let settings = try InkSettings(options)
        return try PageParts.list(options, variants: settings.contents.map(\.rawValue)) { () throws(UsageError) in
            try InkInspector.count(document, settings, options)
        }
    }
}
