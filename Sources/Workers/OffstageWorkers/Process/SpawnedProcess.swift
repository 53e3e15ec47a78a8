import COffstageSystem
import Foundation
import Synchronization

/// Owns a child process: it is killed and reaped at the latest when the last reference is gone.
final class SpawnedProcess: Sendable {
    /// The process ID, valid until the process is reaped.
    let number: pid_t
    private let status: Mutex<Status>

    private enum Status {
        /// - Parameter group: the group that the process joined, which ends when it is empty.
        case running(group: ProcessGroup?)
        /// - Parameter signal: the signal that ended it, even if bubblewrap or the worker itself passed that on as an exit code.
        case reaped(signal: Int32?)
    }

    /// Starts a program. Call this on the spawn thread.
    ///
    /// - Parameters:
    ///   - arguments: the first one is the program's path.
    ///   - socket: the program's descriptor 3. Its standard input and output are empty.
    ///   - complaints: the program's standard error; nil for none.
    ///   - group: the process group that it joins and retains; nil for a new group.
    ///   - inheritsPlaces: true if it gets the variables that say where programs, fonts and temporary files are, and a
    ///     signal when this program ends. False, the default, for an empty environment.
    init(
        _ arguments: [String], socket: Int32, complaints: Int32?, group: ProcessGroup? = nil,
        inheritsPlaces: Bool = false
    ) throws(WorkerSystemError) {
        status = Mutex(.running(group: group))
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { throw WorkerSystemError("/dev/null") }
        defer { close(null) }
        let descriptors = [null, null, complaints ?? null, socket]
        number =
            inheritsPlaces
            ? offstage_spawn(&argv, descriptors, 4)
            : offstage_spawn_bare(&argv, descriptors, 4, group?.number ?? 0)
        guard number > 0 else { throw WorkerSystemError("a process") }
    }

    deinit {
        kill()
        reap()
    }

    /// Kills the process, unless it has been reaped, because its number may already belong to another process.
    func kill() {
        status.withLock { if case .running = $0 { _ = Glibc.kill(number, SIGKILL) } }
    }

    /// Waits for the process to end, without reaping it. Blocks the thread.
    ///
    /// - Parameter milliseconds: the maximum time.
    /// - Returns: false if it is still running.
    func ends(within milliseconds: Int32) -> Bool {
        if case .reaped = status.withLock({ $0 }) { return true }
        let handle = offstage_process_handle(number)
        guard handle >= 0 else { return false }
        defer { close(handle) }
        var wait = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, milliseconds) == 1
    }

    /// Waits for the process to end. Blocks the thread.
    ///
    /// - Returns: the signal that ended it; nil if it ended in another way, or if the host ignores SIGCHLD.
    @discardableResult
    func reap() -> Int32? {
        if case .reaped(let signal) = status.withLock({ $0 }) { return signal }
        // Wait without the lock and without reaping it, so that `kill` works meanwhile.
        var info = siginfo_t()
        while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return status.withLock { status in
            if case .reaped(let signal) = status { return signal }
            var code: Int32 = 0
            var result: pid_t
            repeat { result = waitpid(number, &code, 0) } while result < 0 && errno == EINTR
            let signal = result == number ? Self.signal(of: code) : nil
            status = .reaped(signal: signal)
            return signal
        }
    }

    private static func signal(of code: Int32) -> Int32? {
        if code & 0x7f != 0 { return code & 0x7f }
        let exitCode = (code >> 8) & 0xff
        return exitCode > 128 ? exitCode - 128 : nil
    }
}
