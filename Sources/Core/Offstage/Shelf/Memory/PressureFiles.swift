import Foundation
import Synchronization

/// The open kernel files that report short memory.
///
/// The waiting thread retains the object, so no descriptor is closed while the thread uses it.
package final class PressureFiles: Sendable {
    private let some: Int32
    private let full: Int32
    private let events: Int32
    private let wake: (read: Int32, write: Int32)
    private let reached = Mutex(0)

    /// - Parameter cgroup: the control group's folder; nil if it has no memory limits.
    package init?(cgroup: String? = PressureFiles.ownGroup()) {
        let pressure = cgroup.map { $0 + "/memory.pressure" }.filter { access($0, W_OK) == 0 }
        // 2 s is the shortest window that needs no privilege.
        func trigger(_ line: String) -> Int32 {
            let file = open(pressure ?? "/proc/pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { return -1 }
            // The kernel expects the text with its NUL.
            if line.withCString({ write(file, $0, line.utf8.count + 1) }) > 0 { return file }
            close(file)
            return -1
        }
        let some = trigger("some 200000 2000000")
        let full = trigger("full 100000 2000000")
        let events = cgroup.map { open($0 + "/memory.events", O_RDONLY | O_CLOEXEC) } ?? -1
        var ends: [Int32] = [-1, -1]
        guard some >= 0 || full >= 0 || events >= 0, pipe(&ends) == 0 else {
            for file in [some, full, events] where file >= 0 { close(file) }
            return nil
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (self.some, self.full, self.events) = (some, full, events)
        wake = (ends[0], ends[1])
        _ = hasReachedMore()
    }

    deinit {
        for file in [some, full, events, wake.read, wake.write] where file >= 0 { close(file) }
    }

    /// Sleeps until memory is short; returns nil after `stop`.
    package func wait() -> MemoryPressure.Level? {
        while true {
            // poll ignores negative descriptors.
            var waits = [some, full, events].map { pollfd(fd: $0, events: Int16(POLLPRI), revents: 0) }
            waits.append(pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0))
            if poll(&waits, nfds_t(waits.count), -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if waits[3].revents != 0 { return nil }
            func has(_ event: Int32, _ index: Int) -> Bool { waits[index].revents & Int16(event) != 0 }
            // The control group is gone: it reports nothing more, and poll would not sleep.
            if (0...1).contains(where: { has(POLLERR, $0) && !has(POLLPRI, $0) }) { return nil }
            if has(POLLPRI, 1) || (has(POLLPRI, 2) && hasReachedMore()) { return .critical }
            if has(POLLPRI, 0) { return .some }
        }
    }

    package func stop() { _ = write(wake.write, "x", 1) }

    /// True if the control group has reached its limits again since the last call.
    private func hasReachedMore() -> Bool {
        guard events >= 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let length = pread(events, &bytes, bytes.count, 0)
        guard length > 0 else { return false }
        let now = Self.timesReached(String(decoding: bytes[..<length], as: UTF8.self))
        return reached.withLock { before in
            defer { before = now }
            return now > before
        }
    }
}

extension PressureFiles {
    /// The number of times that `memory.high` or `memory.max` was reached or memory ran out, from the text of
    /// `memory.events`.
    package static func timesReached(_ text: String) -> Int {
        text.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count == 2, ["high", "max", "oom"].contains(words[0]) else { return sum }
            return sum + (Int(words[1]) ?? 0)
        }
    }

    /// The folder of this process's control group (version 2), if it counts memory.
    package static func ownGroup() -> String? {
        guard let text = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else { return nil }
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let folder = "/sys/fs/cgroup" + line.dropFirst(3)
        return access(folder + "/memory.events", R_OK) == 0 ? folder : nil
    }
}

extension Optional {
    fileprivate func filter(_ condition: (Wrapped) -> Bool) -> Wrapped? { flatMap { condition($0) ? $0 : nil } }
}
