import Foundation

/// Reports when a file appears in a folder under its final name. Offstage's files are complete at that moment.
final class FolderWatch {
    private let descriptor: Int32

    /// Nil if the folder cannot be watched.
    init?(_ folder: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if descriptor < 0 { return nil }
        if inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO)) < 0 {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Waits for a file. Returns true as soon as one has appeared, and false if none has after this time.
    func wait(milliseconds: Int32) -> Bool {
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, milliseconds) > 0
    }
}
