import Foundation
import OffstageWebKit

/// A row of a file, on its way to a picture. What it holds is read from its line when it is drawn.
struct Row: Sendable {
    enum Content: Sendable {
        /// The row names an HTML file.
        case file(String)
        /// The row's `html`.
        case html
        /// The row's values, in a template.
        case template(RowTemplate)
    }

    let file: RowFile
    let line: RowFile.Line
    let identifier: String
    let content: Content

    /// `rows.jsonl:12`
    var place: String { file.place(of: line) }

    /// Off the main thread.
    ///
    /// - Parameter limit: bytes of a file.
    /// - Throws: `SnippetFileError` or `UsageError`, which say the place.
    func snippet(limit: Int) throws -> Snippet {
        switch content {
        case .file(let path):
            return try Snippet(contentsOf: path, identifier: identifier, limit: limit)
        case .html:
            guard case .text(let html) = try file.object(at: line)["html"] else { return try snippet("") }
            return try snippet(html)
        case .template(let template):
            let values = try TemplateRow.values(of: file.object(at: line), at: place, in: template)
            return try snippet(template.document(values), base: template.base)
        }
    }

    /// Text is Unicode, whatever charset the document names: HTML takes a name for no more than a hint.
    private func snippet(_ html: String, base: String? = nil) throws -> Snippet {
        if html.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            throw SnippetFileError(path: place, problem: .empty)
        }
        let base = (base ?? file.folder).map { BaseFolder($0) }
        return Snippet(identifier: identifier, html: Data(html.utf8), base: base)
    }
}
