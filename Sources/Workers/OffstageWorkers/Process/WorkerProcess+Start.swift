import COffstageSystem
import COffstageWire
import Dispatch
import Foundation
import Offstage

/// The reason why a worker did not become ready, as a part of a sentence.
struct WorkerStartFailure: Error {
    var detail: String
    /// True if it ended by itself or was killed. It may start the next time, because bubblewrap ends with an error if
    /// one of its processes is killed.
    var hasEnded = false
    /// True if it was certainly killed, by another process, or by the kernel because of memory pressure.
    var wasKilled = false
}

extension WorkerProcess {
    /// The maximum time for a start, milliseconds. A start takes about 20.
    private static let patience: Int32 = 10_000

    /// Starts a worker and waits until its jail is closed. If it ends before that, starts it again, at most four times.
    ///
    /// - Parameters:
    ///   - path: the path of the worker program.
    ///   - files: the program's arguments, which it can read until its jail is closed.
    ///   - inBubblewrap: true to share no other files, and neither network nor processes, with it.
    static func start(
        _ path: String, files: [String], inBubblewrap: Bool, recycling: Recycling
    ) async -> Result<WorkerProcess, WorkerStartFailure> {
        let queue = DispatchQueue(label: "offstage-worker")
        func started() async -> Result<WorkerProcess, WorkerStartFailure> {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: Result { () throws(WorkerStartFailure) in
                            try begin(path, files: files, inBubblewrap: inBubblewrap, recycling: recycling, on: queue)
                        })
                }
            }
        }
        var result = await started()
        for _ in 0..<4 {
            guard case .failure(let failure) = result, failure.hasEnded else { break }
            result = await started()
        }
        return result
    }

    private static func begin(
        _ path: String, files: [String], inBubblewrap: Bool, recycling: Recycling, on queue: DispatchQueue
    ) throws(WorkerStartFailure) -> WorkerProcess {
        let complaints = OwnedDescriptor(offstage_memory_file("offstage-complaints"))
        let child = try spawn(path, files: files, inBubblewrap: inBubblewrap, complaints: complaints)
        let message: WorkerConnection.Message
        switch child.connection.receive(within: patience) {
        case .message(let first) where first.head.kind == OFFSTAGE_WIRE_READY.rawValue: message = first
        case .end where child.process.ends(within: patience):
            if child.process.reap() == SIGKILL {
                throw WorkerStartFailure(detail: "it was killed before it was ready", hasEnded: true, wasKilled: true)
            }
            throw WorkerStartFailure(detail: text(of: complaints) ?? "it ended before it was ready", hasEnded: true)
        default:
            child.process.kill()
            child.process.reap()
            throw WorkerStartFailure(detail: text(of: complaints) ?? "it hung before it was ready")
        }
        let handle = offstage_process_handle(message.sender)
        guard handle >= 0 else { throw WorkerStartFailure(detail: "it ended as soon as it was ready") }
        var protections = WorkerProtections(rawValue: UInt32(truncatingIfNeeded: message.head.values.0))
        protections.formIntersection(.reported)
        if inBubblewrap { protections.insert(.namespaces) }
        return WorkerProcess(
            child, number: message.sender, handle: OwnedDescriptor(handle), protections: protections, queue: queue,
            recycling: recycling)
    }

    /// A process that may become a worker.
    struct Child: ~Copyable {
        let process: SpawnedProcess
        let connection: WorkerConnection
    }

    /// - Parameter complaints: the file for bubblewrap's complaints. A worker without bubblewrap does not get one,
    ///   because it could write to it.
    private static func spawn(
        _ path: String, files: [String], inBubblewrap: Bool, complaints: borrowing OwnedDescriptor
    ) throws(WorkerStartFailure) -> Child {
        do throws(WorkerSystemError) {
            let ends = try WorkerConnection.pair()
            let arguments = inBubblewrap ? BubblewrapCommand.arguments(for: path, files: files) : [path] + files
            let (socket, file) = (ends.worker.number, inBubblewrap ? complaints.number : nil)
            let process = SpawnThread.shared.run {
                Result { () throws(WorkerSystemError) in
                    let group = inBubblewrap ? try ProcessGroup.shared() : nil
                    return try SpawnedProcess(arguments, socket: socket, complaints: file, group: group)
                }
            }
            return Child(process: try process.get(), connection: ends.takeHost())
        } catch { throw WorkerStartFailure(detail: error.unavailable.problem) }
    }

    /// The first line of bubblewrap's complaints; nil for none.
    private static func text(of complaints: borrowing OwnedDescriptor) -> String? {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = pread(complaints.number, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
