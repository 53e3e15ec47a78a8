import COffstageSystem
import Foundation
import Synchronization

/// The group of all bubblewraps of this program, and a shell that ends the group when the program ends, however it ends.
///
/// Bubblewrap ends together with its parent, but a process that it has just started would wait forever for its message.
final class ProcessGroup: Sendable {
    /// Waits until the other end of its descriptor 3 is closed. Its process ID is the group's number.
    private let guardian: SpawnedProcess
    /// The other end. Only this program has it, so the kernel closes it when the program ends.
    private let end: OwnedDescriptor

    /// The group lasts as long as a process in it is referred to.
    private static let current = Mutex(Current())

    private struct Current {
        weak var group: ProcessGroup?
    }

    var number: pid_t { guardian.number }

    /// Call it on the spawn thread.
    ///
    /// - Returns: one whose guardian has not ended. Something else may end it.
    static func shared() throws(WorkerSystemError) -> ProcessGroup {
        if let group = current.withLock({ $0.group }), !group.guardian.ends(within: 0) { return group }
        let group = try ProcessGroup()
        current.withLock { $0.group = group }
        return group
    }

    private init() throws(WorkerSystemError) {
        var ends: [Int32] = [-1, -1]
        guard offstage_pipe(&ends) == 0 else { throw WorkerSystemError("a pipe") }
        let theirs = OwnedDescriptor(ends[0])
        end = OwnedDescriptor(ends[1])
        guardian = try SpawnedProcess(
            ["/bin/sh", "-c", "read -r _ <&3; kill -KILL 0"], socket: theirs.number, complaints: nil)
    }

    deinit {
        // A bubblewrap that was killed may have left the process that it had just started. The guardian has not been reaped, so the number
        // still belongs to the group.
        kill(-number, SIGKILL)
        guardian.reap()
    }
}
