import Foundation
import Offstage

extension Snippet {
    /// Creates a snippet from a file. The extension decides its type. Its charset is the declared one, else UTF-8, or
    /// windows-1252 with a warning. Its base is the file's own folder.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - identifier: The host's name for the picture; default the path.
    ///   - limit: Bytes. A larger file is an error and is not read. Default: the limit in `SnippetLimits`.
    /// - Throws: `SnippetFileError`.
    public init(
        contentsOf path: String, identifier: String? = nil, limit: Int = SnippetLimits().inputBytes
    ) throws(SnippetFileError) {
        let html = try Self.read(path, limit: limit)
        try self.init(document: html, name: path, identifier: identifier ?? path, type: DocumentType(path: path))
        base = BaseFolder(parentFolder(of: path))
    }

    /// Creates a snippet from a document's bytes. The bytes decide the charset. The snippet has no base.
    ///
    /// - Parameters:
    ///   - html: The document's bytes.
    ///   - name: The document's name in errors.
    ///   - identifier: The host's name for the picture.
    ///   - type: Default HTML.
    public init(
        document html: Data, name: String, identifier: String, type: DocumentType = .html
    ) throws(SnippetFileError) {
        if html.allSatisfy({ Charset.isSpace($0) }) { throw SnippetFileError(path: name, problem: .empty) }
        self.init(identifier: identifier, html: html)
        self.type = type
        findCharset()
    }

    private static func read(_ path: String, limit: Int) throws(SnippetFileError) -> Data {
        let outcome: (data: Data?, size: Int)
        do throws(FileError) { outcome = try PlainFile.read(path, limit: limit) } catch {
            throw SnippetFileError(path: path, problem: .unreadable(error.code))
        }
        if let data = outcome.data { return data }
        let excess = LimitExcess(.inputBytes, allowed: limit, measured: outcome.size)
        throw SnippetFileError(path: path, problem: .overLimit(excess))
    }
}

/// A file that cannot become a snippet.
public struct SnippetFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// The file cannot be read. The value is the system's `errno`; EINVAL for a pipe or a device.
        case unreadable(Int32)
        /// The file has more bytes than the limit.
        case overLimit(LimitExcess)
        /// The file is empty or contains only white space.
        case empty
    }

    public var path: String
    public var problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .unreadable(let code): FileError("read", path: path, code: code).description
        case .overLimit(let excess): "\(path): \(excess)"
        case .empty: "\(path) is empty; put something into it to draw"
        }
    }
}
