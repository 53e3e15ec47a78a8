import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// An input from the command line.
enum Input: Sendable {
    /// An HTML file.
    case file(path: String, identifier: String)
    /// The document on standard input.
    case standardInput
    /// A row of a manifest or of a template's data.
    case row(InputRow)
    /// An operand that cannot be drawn; it fails only its own result.
    case unusable(path: String, InputError)

    /// The name of the picture: its path below the output folder, without an extension.
    var identifier: String {
        switch self {
        case .file(_, let identifier): identifier
        case .standardInput: "stdin"
        case .row(let row): row.identifier
        case .unusable(let path, _): path
        }
    }

    /// The name of the picture of a part, or of the whole document.
    func identifier(part: Int?) -> String { part.map { "\(identifier)-\($0)" } ?? identifier }

    /// The name in messages.
    var name: String {
        switch self {
        case .file(let path, _), .unusable(let path, _): path
        case .standardInput: StandardInput.name
        case .row(let row): row.name
        }
    }

    /// The origin of the input, for programs.
    var source: String {
        if case .row(let row) = self { row.place } else { name }
    }

    /// The input's HTML file, if it is one.
    var sourceFile: String? {
        switch self {
        case .file(let path, _): return path
        case .row(let row):
            if case .file(let path) = row.content { return path }
            return nil
        case .standardInput, .unusable: return nil
        }
    }

    /// Reads the document. Call it off the main thread.
    ///
    /// - Parameter limit: the maximum size of a file, bytes.
    /// - Throws: `SnippetFileError`, `InputError` or `UsageError`.
    func snippet(limit: Int) throws -> Snippet {
        switch self {
        case .file(let path, let identifier):
            return try Snippet(contentsOf: path, identifier: identifier, limit: limit)
        case .standardInput:
            do {
                return try Snippet(document: StandardInput.read(limit: limit), name: name, identifier: identifier)
            } catch let error as FileError {
                throw InputError.unreadable(path: name, code: error.code)
            }
        case .row(let row):
            return try row.snippet(limit: limit)
        case .unusable(_, let error):
            throw error
        }
    }
}

/// The error of an operand that is not a valid input.
enum InputError: Error, Sendable, CustomStringConvertible {
    case unreadable(path: String, code: Int32)
    case folderWithoutHTML(path: String)

    var description: String {
        switch self {
        case .unreadable(let path, let code):
            "cannot read \(path): \(String(cString: strerror(code))); name an HTML file, a folder of them, or -"
        case .folderWithoutHTML(let path): "\(path) holds no .html or .htm file; name a folder that does"
        }
    }
}
