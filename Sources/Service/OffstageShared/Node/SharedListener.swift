import Foundation
import Synchronization

/// A connection that waits for notifications. It has its own thread, which sleeps until PostgreSQL sends one.
///
/// It reconnects after a loss. Notifications sent meanwhile are lost, so every waiter also polls from time to time.
final class SharedListener: Sendable {
    enum Event: Sendable {
        case notification(channel: String, text: String)
        /// Notifications may have been missed.
        case connected
    }

    private let wake: (read: Int32, write: Int32)

    /// - Throws: `.lost` if the process has no descriptors left.
    init(
        _ address: SharedAddress, channels: [String], _ handle: @escaping @Sendable (Event) -> Void
    ) throws(SharedError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .lost("cannot create a pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let wake = (read: ends[0], write: ends[1])
        self.wake = wake
        let thread = Thread {
            // Only the thread closes the descriptor that it reads.
            defer { close(wake.read) }
            while !Self.listen(address, channels, stop: wake.read, handle) {
                var wait = pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)
                if poll(&wait, 1, 1000) != 0 { return }
            }
        }
        thread.name = "shared listener"
        thread.stackSize = 512 << 10
        thread.start()
    }

    // The thread's end of the pipe then reads end of file.
    deinit { close(wake.write) }

    /// - Returns: true to stop; false after a loss.
    private static func listen(
        _ address: SharedAddress, _ channels: [String], stop: Int32, _ handle: (Event) -> Void
    ) -> Bool {
        do throws(SharedError) {
            let session = try PQSession(address)
            try session.execute(channels.map { "LISTEN \($0)" }.joined(separator: ";"))
            handle(.connected)
            while true {
                for one in try session.notifications() { handle(.notification(channel: one.channel, text: one.text)) }
                var waits = [stop, session.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                if poll(&waits, 2, -1) < 0, errno != EINTR { return true }
                if waits[0].revents != 0 { return true }
            }
        } catch { return false }
    }
}
