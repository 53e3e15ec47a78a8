import COffstageSystem
import Foundation

/// The processes that this process started.
public enum ChildProcesses {
    /// The worker programs that have child processes, and end them and themselves when they get a SIGTERM. The kernel
    /// cuts off a name after 15 bytes.
    private static let parents = ["offstage-html"]
    /// The time that they get, seconds.
    private static let patience = 2.0

    /// Ends all child processes and waits for their end. For a program that is about to exit.
    public static func endAll() {
        adoptOrphans()
        // Another thread may be starting a process now, to replace one that was killed or for another reason.
        for attempt in 0..<10 {
            let children = all()
            if children.isEmpty { return }
            let gentle = attempt == 0 ? children.filter { parents.contains(name(of: $0)) } : []
            for child in gentle { kill(child, SIGTERM) }
            for child in children where !gentle.contains(child) { kill(child, SIGKILL) }
            let end = ContinuousClock.now + .seconds(patience)
            for child in gentle where !hasEnded(child, before: end) { kill(child, SIGKILL) }
            for child in children { waitpid(child, nil, 0) }
        }
    }

    /// Waits for a child's end, without reaping it.
    private static func hasEnded(_ child: pid_t, before end: ContinuousClock.Instant) -> Bool {
        let handle = offstage_process_handle(child)
        guard handle >= 0 else { return true }
        defer { close(handle) }
        var wait = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        return poll(&wait, 1, Int32(max(0, left))) == 1
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
    package static func children(of process: pid_t, thread: pid_t) -> [pid_t] {
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
