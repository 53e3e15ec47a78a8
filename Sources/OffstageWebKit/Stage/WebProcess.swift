import COffstageWebKit
import Foundation

/// The process that draws for a view, as `/proc` shows it: WebKit does not tell which one it is.
@MainActor
final class WebProcess {
    private let id: pid_t
    /// Other processes that were started with it, as long as they have not been seen to run beside it.
    private var others: [pid_t]

    /// - Parameters:
    ///   - runsScripts: it has page scripts to run.
    ///   - start: makes a view, with what starts its web process.
    /// - Returns: also, the process; nil where it cannot be told which one it is: its memory is then not watched.
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

    /// Of processes that came with the context, before its first view.
    private static var early: [offstage_launch] = []

    /// What has been started counts as started with the next view.
    static func countWithNext() {
        early += taken()
    }

    /// Whose number WebKit may still wait for.
    private static var unsettled: [offstage_launch] = []

    /// What bubblewrap put between this process and web processes in its sandbox. It may outlive the one above it, and is then
    /// this process's to wait for, if that adopts orphans.
    private static var between: Set<pid_t> = []

    /// Lets go of what is kept for processes that have told their numbers, or have ended.
    static func settle() {
        between = between.filter { waitpid($0, nil, WNOHANG) <= 0 && kill($0, 0) == 0 }
        // With what WebKit started by itself, as it does with another network process.
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
        // In WebKit's sandbox it is a child's child.
        let own = launches.filter(\.draws)
        guard own.count == 1 else { return nil }
        id = own[0].process
        others = launches.map(\.process).filter { [id] in $0 != id }
    }

    /// It runs, and has told its number.
    func hasStarted() {
        Self.between.formUnion(ChildProcesses.children(of: id, thread: id))
        others.removeAll { Self.privateMemory(of: $0) > 0 }
        Self.settle()
    }

    /// Another process, which WebKit started with it and counts on, was killed while it started.
    var hasLostNetworkProcess: Bool { others.contains { Self.privateMemory(of: $0) == 0 } }

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
