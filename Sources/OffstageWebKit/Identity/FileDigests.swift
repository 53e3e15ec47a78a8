import Foundation
import Offstage
import Synchronization

/// Digests of files, remembered by the files' metadata. An asset that ten thousand rows use is read once.
package final class FileDigests: Sendable {
    package static let shared = FileDigests()

    /// Identifies a file and its state. Writing to a file changes its times; replacing it changes its inode number.
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
    /// Number of remembered digests. More are not worth their memory: then all are forgotten.
    private static let limit = 50_000
    /// Seconds after which a file's times are reliable. Times advance in steps, so a second change within the same step is
    /// invisible.
    private static let settled = 2

    /// The digest of a file's contents. Nil if the file cannot be read.
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
