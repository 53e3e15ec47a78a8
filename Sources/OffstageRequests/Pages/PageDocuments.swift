import Foundation
import Offstage
import OffstagePages
import Synchronization

/// The documents that requests of this process use now, so that the pages of one file share its bytes and their digest.
enum PageDocuments {
    private struct Stamp: Hashable {
        var device: dev_t
        var number: ino_t
        var size: off_t
        var seconds: Int
        var nanoseconds: Int

        init?(_ path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            (device, number, size) = (info.st_dev, info.st_ino, info.st_size)
            (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
        }
    }

    private struct Weak: Sendable { weak var document: PageDocument? }

    private struct State {
        var documents: [Stamp: Weak] = [:]
        /// The last one, which the next request probably needs.
        var last: PageDocument?
    }

    private static let state = Mutex(State())
    /// The most bytes of the last document that nobody uses any more.
    private static let mostBytes = 16 << 20

    /// Reads a file, or returns the document of an earlier request for the same state of it.
    ///
    /// - Parameter limit: bytes.
    static func document(ofFile path: String, limit: Int) throws(SourceFileError) -> PageDocument {
        // Before it is read: if it changes meanwhile, the next request sees another stamp.
        let stamp = Stamp(path)
        if let stamp, let known = state.withLock({ $0.documents[stamp]?.document }), known.data.count <= limit {
            return known
        }
        let document = try PageDocument(contentsOf: path, limit: limit)
        guard let stamp else { return document }
        state.withLock { state in
            if state.documents.count >= 64 { state.documents = state.documents.filter { $0.value.document != nil } }
            state.documents[stamp] = Weak(document: document)
            state.last = document.data.count <= mostBytes ? document : nil
        }
        return document
    }
}
