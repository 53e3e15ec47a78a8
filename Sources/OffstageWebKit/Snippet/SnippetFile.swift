import Foundation
import Offstage

extension Snippet {
    /// A snippet from a file. Its type is the one that its extension tells; its charset the one it declares, else UTF-8, or windows-1252
    /// with a warning; its base is the file's own folder.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - identifier: default the path.
    ///   - limit: bytes; a larger file is not read. Default that of `SnippetLimits`.
    /// - Throws: `SnippetFileError`.
    public init(
        contentsOf path: String, identifier: String? = nil, limit: Int = SnippetLimits().inputBytes
    ) throws(SnippetFileError) {
        let html = try Self.read(path, limit: limit)
        try self.init(document: html, name: path, identifier: identifier ?? path, type: DocumentType(path: path))
        base = BaseFolder(parentFolder(of: path))
    }

    /// A snippet from a document's bytes, of unknown charset, without a base.
    ///
    /// - Parameters:
    ///   - html: the document's bytes.
    ///   - name: what errors call it.
    ///   - identifier: the host's name for the picture.
    ///   - type: default HTML.
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

/// A file that cannot be a snippet.
public struct SnippetFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// With the system's `errno`; EINVAL for a pipe or a device.
        case unreadable(Int32)
        /// More bytes than it may have.
        case overLimit(LimitExcess)
        /// No bytes, or only white space.
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
