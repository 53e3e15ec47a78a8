import Foundation
import Offstage
import OffstageRequests

/// An input from the command line.
package enum Input: Sendable {
    /// A file that a source draws.
    case file(path: String, identifier: String)
    /// The document on standard input.
    case standardInput
    /// A row of a manifest or of a template's data.
    case row(InputRow)
    /// An operand that cannot be drawn; it fails only its own result.
    case unusable(path: String, identifier: String, InputError)

    /// The name of the picture: its path below the output folder, without an extension.
    package var identifier: String {
        switch self {
        case .file(_, let identifier): identifier
        case .standardInput: "stdin"
        case .row(let row): row.identifier
        case .unusable(_, let identifier, _): identifier
        }
    }

    /// The name of the picture of a part, or of the whole document.
    func identifier(part: Int?) -> String { part.map { "\(identifier)-\($0)" } ?? identifier }

    /// The name in messages.
    var name: String {
        switch self {
        case .file(let path, _), .unusable(let path, _, _): path
        case .standardInput: StandardInput.name
        case .row(let row): row.name
        }
    }

    /// The origin of the input, for programs.
    var origin: String {
        if case .row(let row) = self { row.place } else { name }
    }

    /// The input's file, if it is one.
    package var sourceFile: String? {
        switch self {
        case .file(let path, _): return path
        case .row(let row): return row.sourceFile
        case .standardInput, .unusable: return nil
        }
    }

    /// False for standard input, whose source is found when it is read, and for an operand that cannot be read.
    var hasSource: Bool {
        switch self {
        case .file, .row: true
        case .standardInput, .unusable: false
        }
    }

    /// The source of the document, unless the document is in a row. The document on standard input may turn out to
    /// belong to another source.
    package var source: RegisteredSource {
        if case .file(let path, _) = self { .ofFile(path) } else { SourceRegistry.first }
    }

    /// The document. Reads standard input and rows, but no other file. Call it off the main thread.
    ///
    /// - Parameter settings: the input's settings.
    /// - Throws: `InputError` or `UsageError`.
    package func document(_ settings: Settings) throws -> SourceDocument {
        switch self {
        case .file(let path, _): return SourceDocument(file: path)
        case .standardInput:
            do {
                let bytes = try StandardInput.read(limit: settings.inputLimit)
                return SourceDocument(.bytes(bytes), of: SourceRegistry.source(of: bytes), name: name)
            } catch {
                throw InputError.unreadable(path: name, code: error.code)
            }
        case .row(let row): return try row.document()
        case .unusable(_, _, let error): throw error
        }
    }
}

/// The error of an operand that is not a valid input.
package enum InputError: Error, Sendable, CustomStringConvertible {
    case unreadable(path: String, code: Int32)
    case folderWithoutSource(path: String)

    package var description: String {
        switch self {
        case .unreadable(let path, let code):
            "cannot read \(path): \(String(cString: strerror(code))); "
                + "name a file that Offstage renders, a folder of them, or -"
        case .folderWithoutSource(let path):
            "\(path) contains no file that Offstage renders, such as \(Self.examples); name a folder that does"
        }
    }

    /// The first extension of each source.
    private static var examples: String {
        SourceRegistry.all.compactMap { $0.fileExtensions.first.map { ".\($0)" } }.formatted("or")
    }
}
