import Foundation
import OffstageRequests

/// A row of a file. Its content is read from its line when it is drawn.
package struct InputRow: Sendable {
    enum Content: Sendable {
        /// The row names a file.
        case file(String)
        /// The row contains its document.
        case text
        /// The row's values, in a template.
        case template(RowTemplate)
    }

    let file: RowFile
    let line: RowFile.Line
    let identifier: String
    let content: Content

    /// `rows.jsonl:12`
    var place: String { file.place(of: line) }
    /// The name in messages: `rows.jsonl:12 "chat/greek"`.
    var name: String { RowIdentifier.name(of: identifier, at: place) }

    var sourceFile: String? { if case .file(let path) = content { path } else { nil } }

    /// The document. Call it off the main thread.
    ///
    /// - Throws: `UsageError` or `TemplateError`, which name the row.
    func document() throws -> SourceDocument {
        switch content {
        case .file(let path): return SourceDocument(file: path)
        case .text: return try SourceDocument(file.object(at: line), at: name, folder: file.folder)
        case .template(let template):
            let values = try TemplateRow.values(of: file.object(at: line), at: name, in: template)
            return SourceDocument(
                .text(try template.document(values)), of: .html, name: name, folder: template.base ?? file.folder)
        }
    }
}
