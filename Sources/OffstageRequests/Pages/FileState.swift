import Foundation

/// Changes with every change of a file.
struct FileState: Hashable, Sendable {
    private var device: dev_t
    private var number: ino_t
    private var size: off_t
    private var seconds: Int
    private var nanoseconds: Int

    /// - Returns: nil if the file does not exist.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (device, number, size) = (info.st_dev, info.st_ino, info.st_size)
        (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
}
