import Foundation
import Offstage
import OffstagePages
import Synchronization

/// The documents in use by requests of this process, so that requests for pages of one file share its bytes and their
/// digest.
enum PageDocuments {
    private struct Weak: Sendable { weak var document: PageDocument? }

    private struct State {
        var documents: [FileState: Weak] = [:]
        /// The last one, which the next request probably needs.
        var last: PageDocument?
    }

    private static let state = Mutex(State())
    /// The maximum size in bytes for keeping the last document after its use.
    private static let mostBytes = 16 << 20

    /// Reads a file, or returns the document of an earlier request for the same state of the file.
    ///
    /// - Parameter limit: bytes.
    static func document(ofFile path: String, limit: Int) throws(SourceFileError) -> PageDocument {
        // Take the state before reading the file: if it changes meanwhile, the next request sees another state.
        let fileState = FileState(path)
        if let fileState, let known = state.withLock({ $0.documents[fileState]?.document }), known.data.count <= limit {
            return known
        }
        let document = try PageDocument(contentsOf: path, limit: limit)
        guard let fileState else { return document }
        state.withLock { state in
            if state.documents.count >= 64 { state.documents = state.documents.filter { $0.value.document != nil } }
            state.documents[fileState] = Weak(document: document)
            state.last = document.data.count <= mostBytes ? document : nil
        }
        return document
    }
}
