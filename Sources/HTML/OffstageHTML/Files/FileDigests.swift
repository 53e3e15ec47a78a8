import Foundation
import Offstage
import Synchronization

/// Digests of files, remembered by the files' metadata. An asset that ten thousand rows use is read once.
package final class FileDigests: Sendable {
    package static let shared = FileDigests()

    private let known = Mutex<[FileState: Digest]>([:])
    /// The maximum number of remembered digests. More are not worth their memory: at this number, all are discarded.
    private static let limit = 50_000

    /// The digest of a file's contents. Nil if the file cannot be read.
    package func digest(of file: FileHandle) -> Digest? {
        guard let state = FileState(ofDescriptor: file.fileDescriptor) else { return nil }
        if let digest = known.withLock({ $0[state] }) { return digest }
        guard let data = try? file.readToEnd() ?? Data() else { return nil }
        let digest = Digest(of: data)
        if state.isSettled {
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[state] = digest
            }
        }
        return digest
    }
}
