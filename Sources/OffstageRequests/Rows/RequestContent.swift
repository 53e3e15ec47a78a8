import Foundation
import OffstageWebKit

/// The document of a row or request: its `html`, or the `file` that it names.
package enum RequestContent: Sendable {
    case html(String)
    case file(String)
    /// The document's bytes, sent separately from the request.
    case bytes(Data)

    package static let keys: Set = ["html", "file"]

    /// - Parameters:
    ///   - place: the row, for messages.
    ///   - folder: the folder for a relative path; nil for the working folder.
    package static func read(
        _ row: [String: JSONValue], at place: String, folder: String?
    ) throws(UsageError) -> RequestContent {
        if case .text? = row["html"], let charset = row["charset"], charset != .null {
            throw UsageError("\(place): \"charset\" is of a \"file\"; the text of \"html\" is Unicode")
        }
        switch (row["html"], row["file"]) {
        case (.text(let html)?, nil): return .html(html)
        case (nil, .text(let path)?):
            if path.isEmpty || path.utf8.contains(0) {
                throw UsageError("\(place): \"file\" takes the path of an HTML file, not \(path.quoted)")
            }
            guard let folder, !path.hasPrefix("/") else { return .file(path) }
            return .file((folder as NSString).appendingPathComponent(path))
        case (nil, nil): throw UsageError("\(place): there is neither \"html\" nor \"file\"; give one of them")
        case (.some, .some): throw UsageError("\(place): \"html\" and \"file\" cannot both be; use one")
        case (let value?, nil): throw UsageError("\(place): \"html\" takes text, not \(value.kindName)")
        case (nil, let value?): throw UsageError("\(place): \"file\" takes text, not \(value.kindName)")
        }
    }

    /// Reads the document. Call it off the main thread.
    ///
    /// - Parameters:
    ///   - place: the row, for messages.
    ///   - folder: the folder for relative URLs of `html`; nil if they do not resolve. URLs of a file are relative to
    ///     its own folder.
    ///   - limit: the maximum size of a file, bytes.
    /// - Throws: `SnippetFileError`.
    package func snippet(
        identifier: String, at place: String, folder: String?, limit: Int
    ) throws(SnippetFileError) -> Snippet {
        switch self {
        case .file(let path): return try Snippet(contentsOf: path, identifier: identifier, limit: limit)
        case .bytes(let bytes): return try Snippet(document: bytes, name: place, identifier: identifier)
        case .html(let html): return try Snippet(html: html, identifier: identifier, at: place, folder: folder)
        }
    }
}

extension Snippet {
    /// Text is Unicode, whatever charset the document declares: HTML treats the declaration as a hint only.
    ///
    /// - Parameter place: the origin of the text, for messages.
    package init(html: String, identifier: String, at place: String, folder: String?) throws(SnippetFileError) {
        if html.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            throw SnippetFileError(path: place, problem: .empty)
        }
        self.init(identifier: identifier, html: Data(html.utf8), base: folder.map { BaseFolder($0) })
    }
}
