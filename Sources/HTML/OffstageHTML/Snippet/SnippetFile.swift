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
    /// - Throws: `SourceFileError`.
    public init(
        contentsOf path: String, identifier: String? = nil, limit: Int = SnippetLimits().inputBytes
    ) throws(SourceFileError) {
        let html = try SourceFileError.read(path, limit: limit)
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
    ) throws(SourceFileError) {
        if html.allSatisfy({ Charset.isSpace($0) }) { throw SourceFileError(path: name, problem: .empty) }
        self.init(identifier: identifier, html: html)
        self.type = type
        unpack()
        findCharset()
    }
}
