import Foundation
import Offstage
import Synchronization

/// The bytes of a file with ink, which the requests for its pages share: Xournal++ (`.xopp`, `.xoj`), InkML, Rnote, Excalidraw,
/// tldraw, or JSON with the points of perfect-freehand.
public final class InkDocument: Sendable {
    /// Untrusted.
    public let data: Data
    /// The folder in which the files of backgrounds are; nil if they are not read. A path that leads outside of it is refused.
    public let folder: String?
    /// The file's name, for backgrounds whose names begin with it; empty for bytes without a file.
    let name: String
    /// Called with the path of each background's file before it is read, from any thread; nil if nobody needs it.
    let readLog: (@Sendable (String) -> Void)?
    private let known = Mutex<Digest?>(nil)

    /// Wraps a document's bytes.
    ///
    /// - Parameters:
    ///   - data: the bytes of a file.
    ///   - folder: that contains the files of backgrounds. Default nil: backgrounds in other files are not drawn.
    public convenience init(_ data: Data, folder: String? = nil) {
        self.init(data, folder: folder, name: "", digest: nil)
    }

    /// - Parameters:
    ///   - path: of the file with the bytes, whose folder contains those of backgrounds.
    ///   - digest: that of the bytes, if it is known.
    ///   - log: called with the path of each background's file before it is read. Default nil.
    package convenience init(
        _ data: Data, path: String, digest: Digest?, log: (@Sendable (String) -> Void)? = nil
    ) {
        let folder = parentFolder(of: path)
        // Behind the last slash, as the system sees it.
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
        self.init(data, folder: folder, name: name ?? "", digest: digest, log: log)
    }

    /// - Parameter digest: that of the bytes, if it is known.
    package init(
        _ data: Data, folder: String?, name: String, digest: Digest?, log: (@Sendable (String) -> Void)? = nil
    ) {
        (self.data, self.folder, self.name, readLog) = (data, folder, name, log)
        known.withLock { $0 = digest }
    }

    /// Reads a document. The files of backgrounds are in its folder.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - limit: bytes; a larger file is an error and is not read. Default 64 MiB.
    /// - Throws: the reason for which the file cannot be read.
    public convenience init(contentsOf path: String, limit: Int = 64 << 20) throws(SourceFileError) {
        let data = try SourceFileError.read(path, limit: limit)
        self.init(data, path: path, digest: nil)
    }

    /// Ink that a program has made.
    ///
    /// - Parameters:
    ///   - ink: to draw.
    ///   - folder: that contains the files of backgrounds. Default nil: they are not drawn.
    public convenience init(_ ink: Ink, folder: String? = nil) {
        self.init(InkRecords.data(of: ink), folder: folder)
    }

    /// The digest of the bytes, computed once.
    var digest: Digest {
        known.withLock { known in
            if let known { return known }
            let digest = Digest(ofTree: data)
            known = digest
            return digest
        }
    }
}
