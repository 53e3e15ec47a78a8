import CGLib
import Foundation
import Offstage
import OffstageGLib

/// Reports events in many folders, with GIO's monitors (inotify) on the main loop.
///
/// It does not distinguish the events: after a file is saved in place, replaced by a rename or moved away, the caller
/// checks which files have changed.
@MainActor
final class FolderMonitors {
    private var monitors: [String: UnsafeMutablePointer<GFileMonitor>] = [:]
    private var handlers: [String: SignalHandlers] = [:]
    private var events = 0
    private var waiting: CheckedContinuation<Void, Never>?

    /// Watches exactly these folders. The object lives as long as the program.
    ///
    /// - Returns: true if a folder is new. Earlier events in it are unknown, so check its files again.
    /// - Throws: if an existing folder cannot be watched.
    func watch(_ folders: Set<String>) throws(WatchError) -> Bool {
        for (folder, monitor) in monitors where !folders.contains(folder) || !isSame(folder, monitor) {
            g_file_monitor_cancel(monitor)
            g_object_unref(monitor)
            (monitors[folder], handlers[folder]) = (nil, nil)
        }
        let new = folders.filter { monitors[$0] == nil }
        for folder in new { monitors[folder] = try start(folder) }
        return !new.isEmpty
    }

    /// Waits for an event and then for a pause: to save a file, an editor may write, rename and remove.
    func settle() async {
        if events == 0 { await withCheckedContinuation { waiting = $0 } }
        for _ in 0..<20 {
            let seen = events
            try? await Task.sleep(for: .milliseconds(50))
            if events == seen { break }
        }
        events = 0
    }

    /// False if another folder has replaced it under the same name.
    private func isSame(_ folder: String, _ monitor: UnsafeMutablePointer<GFileMonitor>) -> Bool {
        g_file_monitor_is_cancelled(monitor) == 0 && nodes[folder] == Self.node(folder)
    }

    /// The device and inode of each folder.
    private var nodes: [String: [Int]] = [:]

    private static func node(_ folder: String) -> [Int] {
        var info = stat()
        return stat(folder, &info) == 0 ? [Int(info.st_dev), Int(info.st_ino)] : []
    }

    private func start(_ folder: String) throws(WatchError) -> UnsafeMutablePointer<GFileMonitor> {
        nodes[folder] = Self.node(folder)
        let file = g_file_new_for_path(folder)
        defer { g_object_unref(file.map(UnsafeMutableRawPointer.init)) }
        var error: UnsafeMutablePointer<GError>?
        guard let monitor = g_file_monitor_directory(file, GFileMonitorFlags(rawValue: 0), nil, &error) else {
            defer { g_error_free(error) }
            throw WatchError(folder: folder, reason: String(cString: error!.pointee.message))
        }
        g_file_monitor_set_rate_limit(monitor, 50)
        let callback:
            @convention(c) (
                UnsafeMutableRawPointer, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32,
                UnsafeMutableRawPointer
            ) -> Void = { _, _, _, _, data in
                // GIO calls this on the thread that made the monitor, in its default main context.
                onMainActor(data) { receiver($0, as: FolderMonitors.self)?.happened() }
            }
        let handlers = SignalHandlers()
        self.handlers[folder] = handlers
        handlers.connect("changed", of: monitor, unsafeBitCast(callback, to: GCallback.self), to: self)
        return monitor
    }

    private func happened() {
        events += 1
        waiting?.resume()
        waiting = nil
    }
}

/// The error of a folder that cannot be watched.
struct WatchError: Error, CustomStringConvertible {
    var folder: String
    /// GIO's message.
    var reason: String

    var description: String {
        "cannot watch \(folder.isEmpty ? "." : folder): \(reason); watch fewer folders, or raise the limit "
            + "fs.inotify.max_user_watches"
    }
}
