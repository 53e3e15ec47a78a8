import Foundation
import Offstage
import Synchronization

/// Digests of files by what the file system says of them, so that an asset of ten thousand rows is read once.
package final class FileDigests: Sendable {
    package static let shared = FileDigests()

    /// Which file, and which state of it: what is written into it changes the times, what replaces it is another file.
    private struct Stamp: Hashable {
        var device: dev_t
        var number: ino_t
        var size: off_t
        var changed: [Int]

        init(_ info: stat) {
            (device, number, size) = (info.st_dev, info.st_ino, info.st_size)
            changed = [info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec]
        }
    }

    private let known = Mutex<[Stamp: Digest]>([:])
    /// More are not worth their memory: all are then forgotten.
    private static let limit = 50_000
    /// Seconds. Times advance in steps: a file that changes within the same one as before would not show it.
    private static let settled = 2

    /// Nil for a file that cannot be read.
    package func digest(of file: FileHandle) -> Digest? {
        var info = stat()
        guard fstat(file.fileDescriptor, &info) == 0 else { return nil }
        let stamp = Stamp(info)
        if let digest = known.withLock({ $0[stamp] }) { return digest }
        guard let data = try? file.readToEnd() ?? Data() else { return nil }
        let digest = Digest(of: data)
        if max(info.st_mtim.tv_sec, info.st_ctim.tv_sec) + Self.settled < time(nil) {
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[stamp] = digest
            }
        }
        return digest
    }
}
