import COffstageSystem
import COffstageWebKit
import Foundation

/// The processes that this process started: Xvfb and WebKit's processes.
public enum ChildProcesses {
    /// Kills all child processes and waits for their end. For a program that is about to exit. Call it on the main thread, but
    /// not from a job of the main loop: GDK ends the program when it finds the display lost.
    public static func endAll() {
        DisplayWatch.expectEnd()
        defer { Sandbox.discardFiles() }
        defer { DisplaySocket.removeAll() }
        adoptOrphans()
        // Another thread may be starting a process now, to replace one that was killed or for another reason.
        for _ in 0..<10 {
            let children = all()
            if children.isEmpty { return }
            // An Xvfb that is still starting has not reported its socket yet, so it must remove the socket itself (SIGTERM).
            // The other servers must not: a server first gives up its number, and may then remove the socket of a new server
            // with the same number.
            let servers = children.filter { !DisplaySocket.isKnown($0) && name(of: $0) == "Xvfb" }
            let others = children.filter { !servers.contains($0) }
            for child in others { kill(child, SIGKILL) }
            for child in others { reap(child) }
            for server in servers { end(server) }
        }
    }

    /// Waits for the end of a child process that was killed. GLib reaps those that it has started; from version 2.84
    /// on, it logs a warning if it is too late.
    private static func reap(_ child: pid_t) {
        if offstage_helpers_glib_awaits(child) {
            var info = siginfo_t()
            while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0 { if errno != EINTR { return } }
            // There is no call that waits until another thread has reaped a child, so poll; this is at the program's
            // end, and takes at most 0.2 s.
            for _ in 0..<1000 {
                if waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) != 0 { return }
                usleep(200)
            }
        }
        waitpid(child, nil, 0)
    }

    private static func end(_ server: pid_t) {
        kill(server, SIGTERM)
        for _ in 0..<500 {
            // Another thread may have reaped it.
            if waitpid(server, nil, WNOHANG) != 0 { return }
            usleep(1000)
        }
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
    }

    /// Makes this process the parent of its orphaned descendants. A sandboxed process is a child's child; once that
    /// child has ended, this process reaps it instead of the system. For a program whose other children do not leave
    /// processes behind.
    public static func adoptOrphans() { offstage_adopt_orphans() }

    /// The children of all threads of this process: the kernel lists a child under the thread that started it.
    package static func all() -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.compactMap { pid_t($0) }.flatMap { children(of: getpid(), thread: $0) }
    }

    /// All children, their children, and so on.
    package static func descendants() -> [pid_t] {
        var (found, next) = (all(), 0)
        while next < found.count {
            // The programs between this process and WebKit's processes have one thread each.
            found += children(of: found[next], thread: found[next])
            next += 1
        }
        return found
    }

    /// The process's name, which the kernel cuts off after 15 bytes.
    package static func name(of process: pid_t) -> String { String(text(of: process, "comm").dropLast()) }

    /// The processes that one thread of a process started.
    static func children(of process: pid_t, thread: pid_t) -> [pid_t] {
        text(of: process, "task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    /// The contents of a file below `/proc/PID`. Empty once the process has ended.
    ///
    /// Does not use Foundation, which leaks 4 KB of memory for each empty file there.
    package static func text(of process: pid_t, _ file: String) -> String {
        let descriptor = open("/proc/\(process)/\(file)", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return "" }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            var bytes: [UInt8] = []
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
