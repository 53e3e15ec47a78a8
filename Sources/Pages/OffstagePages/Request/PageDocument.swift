import Foundation
import Offstage
import Synchronization

/// The bytes of a PDF document, which the requests for its pages share.
public final class PageDocument: Sendable {
    /// Untrusted.
    public let data: Data
    private let known = Mutex<Digest?>(nil)

    /// Wraps a document's bytes.
    ///
    /// - Parameter data: the bytes of a PDF file.
    public init(_ data: Data) { self.data = data }

    /// - Parameter digest: the digest of the bytes, if known.
    package convenience init(_ data: Data, digest: Digest?) {
        self.init(data)
        known.withLock { $0 = digest }
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - limit: the maximum size in bytes. A larger file is an error and is not read. Default 64 MiB.
    /// - Throws: the reason why the file cannot be read.
    public convenience init(contentsOf path: String, limit: Int = 64 << 20) throws(SourceFileError) {
        self.init(try SourceFileError.read(path, limit: limit))
    }

    /// The digest of the bytes, computed once. Takes time in proportion to the bytes, so call it off the main thread.
    package var digest: Digest {
        known.withLock { known in
            if let known { return known }
            let digest = Digest(ofTree: data)
            known = digest
            return digest
        }
    }
}
