import COffstageSystem
import Foundation

/// The processes that this one started: Xvfb and WebKit's.
public enum ChildProcesses {
    /// Kills them all and waits for their end; for a program that is about to end itself. On the main thread, not from a job of
    /// the main loop: GDK ends the program where it finds the display gone.
    public static func endAll() {
        DisplayWatch.expectEnd()
        defer { Sandbox.discardFiles() }
        defer { DisplaySocket.removeAll() }
        adoptOrphans()
        // Another thread may start one just now: to replace one that was killed, or in its course.
        for _ in 0..<10 {
            let children = all()
            if children.isEmpty { return }
            // One that is starting, and has not said yet where, would leave its socket. The others must not take theirs away
            // themselves: they give their number back first, and then it may be another server's that they remove.
            let servers = children.filter { !DisplaySocket.isKnown($0) && name(of: $0) == "Xvfb" }
            let others = children.filter { !servers.contains($0) }
            for child in others { kill(child, SIGKILL) }
            for child in others { waitpid(child, nil, 0) }
            for server in servers { end(server) }
        }
    }

    private static func end(_ server: pid_t) {
        kill(server, SIGTERM)
        for _ in 0..<500 {
            // Somebody else may have waited for it.
            if waitpid(server, nil, WNOHANG) != 0 { return }
            usleep(1000)
        }
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
    }

    /// What is in the sandbox is a child's child. From now on, once that child has gone, it is this process's to wait for, not
    /// the system's; for a program whose other children leave nothing behind.
    public static func adoptOrphans() { offstage_adopt_orphans() }

    /// Every thread's children, for a process belongs to the thread that started it.
    package static func all() -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.compactMap { pid_t($0) }.flatMap { children(of: getpid(), thread: $0) }
    }

    /// Its children, theirs, and so on.
    package static func descendants() -> [pid_t] {
        var (found, next) = (all(), 0)
        while next < found.count {
            // Of the programs between us and WebKit's, each has one thread.
            found += children(of: found[next], thread: found[next])
            next += 1
        }
        return found
    }

    /// As the kernel cuts it, after 15 bytes.
    package static func name(of process: pid_t) -> String { String(text(of: process, "comm").dropLast()) }

    /// What one thread of a process started.
    static func children(of process: pid_t, thread: pid_t) -> [pid_t] {
        text(of: process, "task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    /// A file below `/proc`; empty once the process is gone.
    ///
    /// Not by Foundation, which loses 4 KB of memory for good with each file there that is empty.
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
