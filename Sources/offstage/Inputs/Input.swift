import Foundation
import Offstage
import OffstageWebKit

/// Something to draw, as the command line names it.
enum Input: Sendable {
    /// An HTML file.
    case file(path: String, identifier: String)
    /// The document on standard input.
    case standardInput
    /// An operand there is nothing to draw in; it costs one result.
    case unusable(path: String, InputError)

    /// The picture's name: its path below the output folder, without an extension.
    var identifier: String {
        switch self {
        case .file(_, let identifier): identifier
        case .standardInput: "stdin"
        case .unusable(let path, _): path
        }
    }

    /// What messages call it.
    var name: String {
        switch self {
        case .file(let path, _), .unusable(let path, _): path
        case .standardInput: "standard input"
        }
    }

    /// Reads the document. Off the main thread.
    ///
    /// - Throws: `SnippetFileError` or `InputError`.
    func snippet() throws -> Snippet {
        switch self {
        case .file(let path, let identifier):
            return try Snippet(contentsOf: path, identifier: identifier)
        case .standardInput:
            return try Snippet(document: readStandardInput(), name: name, identifier: identifier)
        case .unusable(_, let error):
            throw error
        }
    }

    private func readStandardInput() throws -> Data {
        var document = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return document }
            if count > 0 {
                document.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw InputError.unreadable(path: name, code: errno)
            }
        }
    }
}

/// An operand that is no input.
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
