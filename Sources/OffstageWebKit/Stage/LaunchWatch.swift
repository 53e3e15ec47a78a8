import COffstageSystem
import Foundation
import Synchronization

/// Sees which processes are started from now on, and keeps open the sockets on which they tell WebKit their numbers.
///
/// WebKit ends the program where such a socket is closed before that, as it is when the process is killed while it starts. It
/// is held from the first moment, by a thread of its own: the main thread is busy with the start itself.
final class LaunchWatch: Sendable {
    struct Launch {
        var process: pid_t
        var name: String
        /// Nil where the system does not allow it, or the number is told.
        var socket: Int32?
    }

    private struct State {
        var launches: [pid_t: Launch] = [:]
        var isOver = false
    }

    private let before = Set(LaunchWatch.children)
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) { look() }
            ended.signal()
        }
    }

    /// WebKit starts its processes on the main thread.
    private static var children: [pid_t] { ChildProcesses.children(of: getpid(), thread: getpid()) }

    /// What was started since `init`. It has to be called: else the thread goes on.
    func end() -> [Launch] {
        // It is there; its arguments come a moment later.
        for _ in 0..<50 where look() { usleep(100) }
        state.withLock { $0.isOver = true }
        ended.wait()
        return state.withLock { Array($0.launches.values) }
    }

    /// - Returns: whether something is there whose arguments have not come.
    @discardableResult
    private func look() -> Bool {
        let known = state.withLock { Set($0.launches.keys) }
        var isUnclear = false
        for process in Self.children where !before.contains(process) && !known.contains(process) {
            let arguments = ChildProcesses.text(of: process, "cmdline").split(separator: "\0")
            // Its own name comes with them: until then it is a copy of this process.
            guard arguments.contains(where: { $0.contains("/WebKit") }) else {
                isUnclear = true
                continue
            }
            state.withLock { state in
                // The other thread may have been here.
                if state.launches[process] != nil { return }
                let number = arguments.last.flatMap { Int32($0) }
                let socket = number.map { offstage_copy_descriptor(process, $0) }
                let name = ChildProcesses.text(of: process, "comm").dropLast()
                state.launches[process] = Launch(
                    process: process, name: String(name), socket: socket.flatMap { $0 >= 0 ? $0 : nil })
            }
        }
        return isUnclear
    }
}
