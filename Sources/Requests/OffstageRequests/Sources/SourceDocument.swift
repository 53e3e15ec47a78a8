import Foundation
import Offstage

/// A document from a command line, a row or a program, before its source makes a request of it.
package struct SourceDocument: Sendable {
    package enum Content: Sendable {
        /// A file, and its bytes if they have been read.
        case file(String, Data? = nil)
        /// Bytes without a file, such as standard input or the body of a request.
        case bytes(Data)
        /// The text of a row's key.
        case text(String)
    }

    /// Called with each file that the drawing reads, just before it reads it.
    package typealias ReadLog = @Sendable (_ path: String) -> Void

    package var source: RegisteredSource
    package var content: Content
    /// The name in messages: a file's path, or the row.
    package var name: String
    /// The folder for relative URLs of a text; nil if they do not resolve. URLs of a file are relative to its own folder.
    package var folder: String?
    package var readLog: ReadLog?
    /// The digest of the bytes, if `loaded` has read them. Sources whose fingerprints need it then need not compute it
    /// on the main thread.
    package private(set) var digest: Digest?

    package init(_ content: Content, of source: RegisteredSource, name: String, folder: String? = nil) {
        self.content = content
        self.source = source
        self.name = name
        self.folder = folder
    }

    /// A file. Its extension decides the source.
    package init(file path: String) {
        self.init(.file(path), of: .ofFile(path), name: path)
    }

    package var file: String? { if case .file(let path, _) = content { path } else { nil } }

    /// The document with its bytes and their digest; unchanged if the source reads its files piece by piece. Call it off the main thread: it takes time in proportion to the bytes.
    ///
    /// - Parameter limit: bytes.
    /// - Throws: `SourceFileError`.
    package func loaded(limit: Int) throws(SourceFileError) -> SourceDocument {
        if source.readsFiles, case .file = content { return self }
        var document = self
        let bytes = try bytes(limit: limit)
        if case .file(let path, nil) = content { document.content = .file(path, bytes) }
        document.digest = Digest(ofTree: bytes)
        return document
    }

    /// All bytes of the document, wherever they are stored.
    ///
    /// - Throws: `SourceFileError`.
    package func bytes(limit: Int) throws(SourceFileError) -> Data {
        switch content {
        case .file(let path, nil): try Self.read(path, limit: limit)
        case .file(_, let bytes?), .bytes(let bytes): bytes
        case .text(let text): Data(text.utf8)
        }
    }

    private static func read(_ path: String, limit: Int) throws(SourceFileError) -> Data {
        try SourceFileError.read(path, limit: limit)
    }
}
