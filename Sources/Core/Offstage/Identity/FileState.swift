import Foundation

/// The state of a file, which changes with its content: writing changes the file's times, and replacing the file changes its number. Times
/// advance in steps of milliseconds, so a second change within a step can be invisible.
package struct FileState: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t
    private let size: off_t
    private let modified, changed: Time

    private struct Time: Hashable {
        let seconds, nanoseconds: Int

        init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
    }

    private init(_ info: stat) {
        (device, number, size) = (info.st_dev, info.st_ino, info.st_size)
        (modified, changed) = (Time(info.st_mtim), Time(info.st_ctim))
    }

    /// - Returns: nil if the path does not exist or is a folder.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFDIR else { return nil }
        self.init(info)
    }

    /// - Parameter descriptor: the descriptor of an open file.
    /// - Returns: nil if the system does not report it.
    package init?(ofDescriptor descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    package var isEmpty: Bool { size == 0 }

    /// True if the file has been unchanged for longer than the resolution of its times, so that the next change is
    /// visible.
    package var isSettled: Bool {
        // The coarsest times of a file system in use are FAT's, of 2 s.
        max(modified.seconds, changed.seconds) + 2 < time(nil)
    }
}
