import Foundation
import Offstage
import Synchronization

/// The bytes of an ink file, which the requests for its pages share: Xournal++ (`.xopp`, `.xoj`), InkML, Rnote,
/// Excalidraw, tldraw, or JSON with the points of perfect-freehand.
public final class InkDocument: Sendable {
    /// Untrusted.
    public let data: Data
    /// The folder that contains background files; nil to read none. A path that leads outside it is rejected.
    public let folder: String?
    /// The file's name, for backgrounds whose names begin with it; empty if the bytes are not from a file.
    let name: String
    /// Called with the path of each background file before it is read, from any thread; nil if not needed.
    let readLog: (@Sendable (String) -> Void)?
    private let known = Mutex<Digest?>(nil)

    /// Wraps a document's bytes.
    ///
    /// - Parameters:
    ///   - data: the bytes of a file.
    ///   - folder: the folder that contains background files. Default nil: backgrounds in other files are not drawn.
    public convenience init(_ data: Data, folder: String? = nil) {
        self.init(data, folder: folder, name: "", digest: nil)
    }

    /// - Parameters:
    ///   - path: the path of the file with the bytes. Its folder contains the background files.
    ///   - digest: the digest of the bytes, if known.
    ///   - log: called with the path of each background's file before it is read. Default nil.
    package convenience init(
        _ data: Data, path: String, digest: Digest?, log: (@Sendable (String) -> Void)? = nil
    ) {
        let folder = parentFolder(of: path)
        // The part after the last slash, as the system splits paths.
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
        self.init(data, folder: folder, name: name ?? "", digest: digest, log: log)
    }

    /// - Parameter digest: the digest of the bytes, if known.
    package init(
        _ data: Data, folder: String?, name: String, digest: Digest?, log: (@Sendable (String) -> Void)? = nil
    ) {
        (self.data, self.folder, self.name, readLog) = (data, folder, name, log)
        known.withLock { $0 = digest }
    }

    /// Reads a document. Background files are in its folder.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - limit: the maximum size in bytes. A larger file is an error and is not read. Default 64 MiB.
    /// - Throws: the reason why the file cannot be read.
    public convenience init(contentsOf path: String, limit: Int = 64 << 20) throws(SourceFileError) {
        let data = try SourceFileError.read(path, limit: limit)
        self.init(data, path: path, digest: nil)
    }

    /// Wraps ink that a program has made.
    ///
    /// - Parameters:
    ///   - ink: the ink to draw.
    ///   - folder: the folder that contains background files. Default nil: they are not drawn.
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
