import Foundation
import OffstageRequests
import OffstageWebKit

/// A row of a file. Its content is read from its line when it is drawn.
struct InputRow: Sendable {
    enum Content: Sendable {
        /// The row names an HTML file.
        case file(String)
        /// The row's `html`.
        case html
        /// The row's values, in a template.
        case template(RowTemplate)

        init(_ content: RequestContent) {
            switch content {
            case .html, .bytes: self = .html
            case .file(let path): self = .file(path)
            }
        }
    }

    let file: RowFile
    let line: RowFile.Line
    let identifier: String
    let content: Content

    /// `rows.jsonl:12`
    var place: String { file.place(of: line) }
    /// The name in messages: `rows.jsonl:12 "chat/greek"`.
    var name: String { RowIdentifier.name(of: identifier, at: place) }

    /// Reads the document. Call it off the main thread.
    ///
    /// - Parameter limit: the maximum size of a file, bytes.
    /// - Throws: `SnippetFileError` or `UsageError`, which name the place.
    func snippet(limit: Int) throws -> Snippet {
        switch content {
        case .file(let path):
            return try Snippet(contentsOf: path, identifier: identifier, limit: limit)
        case .html:
            let content = try RequestContent.read(file.object(at: line), at: name, folder: file.folder)
            return try content.snippet(identifier: identifier, at: name, folder: file.folder, limit: limit)
        case .template(let template):
            let values = try TemplateRow.values(of: file.object(at: line), at: name, in: template)
            return try Snippet(
                html: template.document(values), identifier: identifier, at: name,
                folder: template.base ?? file.folder)
        }
    }
}
