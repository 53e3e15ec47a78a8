import Foundation

/// A lock on a folder. It ends with its process, however the process ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    enum Kind {
        case shared, exclusive
    }

    /// - Parameters:
    ///   - path: the lock's file, which is created if it does not exist.
    ///   - patience: the maximum time to wait for other processes, seconds.
    init(_ path: String, _ kind: Kind, patience: Double) throws(FileError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("write", path: path, code: errno) }
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        var left = Int(patience * 1000)
        while flock(descriptor, operation) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR, left > 0 else {
                close(descriptor)
                throw FileError("lock", path: path, code: code)
            }
            // `flock` has no timeout, so this polls. It blocks only the store's own threads.
            usleep(2000)
            left -= 2
        }
    }

    deinit { close(descriptor) }
}
