import COffstageWebKit
import Foundation

/// The process that draws for a view, as `/proc` shows it: WebKit does not tell which one it is.
@MainActor
final class WebProcess {
    private let id: pid_t
    /// Of the processes that were started with it.
    ///
    /// WebKit ends the program where the socket on which a process is to tell its number is closed before that, as it is when the
    /// process is killed while it starts. So a copy is kept open until then.
    private var launches: [offstage_launch]

    /// - Parameter start: makes a view, with what starts its web process.
    /// - Returns: also, the process; nil where it cannot be told which one it is: its memory is then not watched.
    static func started<Value, Failure: Error>(
        by start: () throws(Failure) -> Value
    ) throws(Failure) -> (Value, WebProcess?) {
        settleOthers()
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        let value = try start()
        defer { early = [] }
        return (value, WebProcess(early + taken()))
    }

    /// Of processes that came with the context, before its first view.
    private static var early: [offstage_launch] = []

    /// What has been started counts as started with the next view.
    static func countWithNext() {
        early += taken()
    }

    /// Of processes that WebKit started by itself, as it does with another network process.
    private static var others: [(launch: offstage_launch, seen: ContinuousClock.Instant)] = []

    /// One that has run for a while has told its number.
    private static func settleOthers() {
        others += taken().filter { $0.socket >= 0 }.map { ($0, .now) }
        others.removeAll { other in
            if privateMemory(of: other.launch.process) == 0 { return true }
            guard other.seen.duration(to: .now) > .seconds(5) else { return false }
            close(other.launch.socket)
            return true
        }
    }

    private static func taken() -> [offstage_launch] {
        [offstage_launch](unsafeUninitializedCapacity: Int(OFFSTAGE_LAUNCHES)) { buffer, count in
            count = Int(offstage_helpers_take_launches(buffer.baseAddress))
        }
    }

    private init?(_ launches: [offstage_launch]) {
        self.launches = launches.filter { $0.socket >= 0 }
        // In WebKit's sandbox it is a child's child.
        let own = launches.filter(\.draws)
        guard own.count == 1 else { return nil }
        id = own[0].process
    }

    /// It runs, and has told its number. What ended without telling leaves its socket open for good.
    func hasStarted() {
        for launch in launches where Self.privateMemory(of: launch.process) > 0 {
            // Of another process that is surely not known.
            if launch.process == id { close(launch.socket) } else { Self.others.append((launch, .now)) }
        }
        launches.removeAll { Self.privateMemory(of: $0.process) > 0 }
    }

    /// Another process, which WebKit started with it and counts on, was killed while it started.
    var hasLostNetworkProcess: Bool {
        launches.contains { $0.process != id && Self.privateMemory(of: $0.process) == 0 }
    }

    /// Bytes that it and its children have for themselves: what they share, pictures among it, does not count. 0 once it
    /// has ended. 10 µs.
    var memory: Int {
        var (sum, next) = (0, [id])
        while let process = next.popLast() {
            sum += Self.privateMemory(of: process)
            next += ChildProcesses.children(of: process, thread: process)
        }
        return sum
    }

    var hasEnded: Bool { Self.privateMemory(of: id) == 0 }

    private static func privateMemory(of process: pid_t) -> Int {
        let pages = ChildProcesses.text(of: process, "statm").split(separator: " ").prefix(3).compactMap { Int($0) }
        return pages.count == 3 ? (pages[1] - pages[2]) * pageSize : 0
    }

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))
}
