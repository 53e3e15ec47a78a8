import COffstageWebKit
import Foundation

/// The process that draws for a view, as `/proc` shows it. WebKit does not report its number.
@MainActor
final class WebProcess {
    private let id: pid_t
    /// Other processes that WebKit started together with it, and that have not yet been seen running.
    private var others: [pid_t]

    /// - Parameters:
    ///   - runsScripts: true if the process runs page scripts.
    ///   - start: makes a view and starts its web process.
    /// - Returns: the result of `start`, and the process. The process is nil if Offstage cannot identify it; its memory
    ///   is then not watched.
    static func started<Value, Failure: Error>(
        runsScripts: Bool, by start: () throws(Failure) -> Value
    ) throws(Failure) -> (Value, WebProcess?) {
        offstage_helpers_run_page_scripts(runsScripts)
        defer { offstage_helpers_run_page_scripts(true) }
        Sandbox.discardFiles(keepsFolder: true)
        settle()
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        let value = try start()
        let launches = early + taken()
        early = []
        unsettled += launches.filter { $0.socket >= 0 }
        return (value, WebProcess(launches))
    }

    /// The launches of processes that started with the context, before its first view.
    private static var early: [offstage_launch] = []

    /// Counts the processes started so far as started together with the next view.
    static func countWithNext() {
        early += taken()
    }

    /// The launches whose process numbers WebKit may still be waiting for.
    private static var unsettled: [offstage_launch] = []

    /// The processes that bubblewrap put between this process and sandboxed web processes. One may outlive its parent.
    /// If this process adopts orphans, it must then reap such a process.
    private static var between: Set<pid_t> = []

    /// Frees the resources held for processes that have reported their numbers or have ended.
    static func settle() {
        between = between.filter { waitpid($0, nil, WNOHANG) <= 0 && kill($0, 0) == 0 }
        // Includes processes that WebKit started by itself, such as another network process.
        unsettled += taken().filter { $0.socket >= 0 }
        unsettled.removeAll { launch in
            withUnsafePointer(to: launch) { offstage_launch_settle($0, privateMemory(of: launch.process) == 0) }
        }
    }

    private static func taken() -> [offstage_launch] {
        [offstage_launch](unsafeUninitializedCapacity: Int(OFFSTAGE_LAUNCHES)) { buffer, count in
            count = Int(offstage_helpers_take_launches(buffer.baseAddress))
        }
    }

    private init?(_ launches: [offstage_launch]) {
        // In WebKit's sandbox, the process is a grandchild.
        let own = launches.filter(\.draws)
        guard own.count == 1 else { return nil }
        id = own[0].process
        others = launches.map(\.process).filter { [id] in $0 != id }
    }

    /// Records that the process runs and has reported its number.
    func hasStarted() {
        Self.between.formUnion(ChildProcesses.children(of: id, thread: id))
        others.removeAll { Self.privateMemory(of: $0) > 0 }
        Self.settle()
    }

    /// True if another process that WebKit started together with it, and depends on, was killed as it started.
    var hasLostNetworkProcess: Bool { others.contains { Self.privateMemory(of: $0) == 0 } }

    /// The memory that only the process and its children use, in bytes, without shared memory such as pictures. 0 once
    /// the process has ended. A call takes 10 µs.
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
