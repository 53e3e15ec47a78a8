import COffstageSystem
import Foundation
import Synchronization

/// The process group of all bubblewrap processes of this program, and a shell that ends the group when the program
/// ends, however it ends.
///
/// Bubblewrap ends together with its parent, but a process that it has just started would wait forever for its message.
final class ProcessGroup: Sendable {
    /// Waits until the other end of its descriptor 3 is closed. Its process ID is the group's number.
    private let guardian: SpawnedProcess
    /// The other end of that descriptor. Only this program has it, so the kernel closes it when the program ends.
    private let end: OwnedDescriptor

    /// The group exists as long as there is a reference to a process in it.
    private static let current = Mutex(Current())

    private struct Current {
        weak var group: ProcessGroup?
    }

    var number: pid_t { guardian.number }

    /// Gets the current group, or makes one. Call this on the spawn thread.
    ///
    /// - Returns: a group whose guardian is still running. Another program may have ended an earlier one.
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
        // A killed bubblewrap may have left behind a process that it had just started. The guardian has not been
        // reaped, so the number still belongs to the group.
        kill(-number, SIGKILL)
        guardian.reap()
    }
}
