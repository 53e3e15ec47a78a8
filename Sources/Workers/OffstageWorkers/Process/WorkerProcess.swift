import COffstageSystem
import COffstageWire
import Dispatch
import Foundation
import Offstage
import Synchronization

/// One worker: its process and the connection to it. Both end at the latest with the last reference.
///
/// A drawing blocks a thread of the worker's own queue, so that an answer wakes exactly one thread.
final class WorkerProcess: Sendable {
    let protections: WorkerProtections
    /// Nil after `end`.
    let ends: Mutex<Ends?>
    /// The worker, or bubblewrap, whose only child the worker is.
    let process: SpawnedProcess
    /// The worker's number here. Used only while `process` has not been reaped.
    let number: pid_t
    let queue: DispatchQueue
    let recycling: Recycling
    let life = Mutex(ProcessLife())
    let rest = Mutex(WorkerRest())
    let trust = DrawingTrust()
    /// The number of bytes of all pictures and documents that it has received.
    let sharedBytes = Mutex(0)

    /// The descriptors. `end` releases them, so that they are closed even if there are still references to the worker.
    final class Ends: Sendable {
        let connection: WorkerConnection
        /// The worker itself.
        let handle: OwnedDescriptor

        init(_ connection: consuming WorkerConnection, _ handle: consuming OwnedDescriptor) {
            self.connection = connection
            self.handle = handle
        }
    }

    /// Takes over a worker that has reported that it is ready.
    init(
        _ child: consuming Child, number: pid_t, handle: consuming OwnedDescriptor, protections: WorkerProtections,
        queue: DispatchQueue, recycling: Recycling
    ) {
        process = child.process
        ends = Mutex(Ends(child.connection, handle))
        self.number = number
        self.protections = protections
        self.queue = queue
        self.recycling = recycling
        life.withLock { _ = $0.start() }
        // Also set after an answer, if a source finds it to be untrue.
        trust.onLoss { [weak self] in self?.kill() }
    }

    deinit {
        kill()
        trust.settle()
    }

    /// True if it can draw another document, and need not be replaced by a successor.
    var isReusable: Bool { !trust.isLost && life.withLock { $0.isUsable && !$0.isWorn } }

    /// True if it crashed, hung, gave an untrue answer or exceeded a limit.
    var isLost: Bool { life.withLock { $0.loss != nil } }

    /// Ends it, even during a drawing, which then notices the loss. Does not wait.
    func kill() {
        if let ends = ends.withLock({ $0 }) { _ = offstage_end_process(ends.handle.number) }
    }

    /// Ends it, and waits until all of its resources are released.
    func end() async {
        life.withLock { $0.close() }
        kill()
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                // A forbidden call or a message after its last answer also shows this. A worker that was killed during
                // a drawing may have been about to answer.
                let isSilent = isLost || ends.withLock({ $0 }).map { $0.connection.isSilent } ?? true
                if process.reap() == SIGSYS || !isSilent { trust.lose() }
                ends.withLock { $0 = nil }
                trust.settle()
                continuation.resume()
            }
        }
    }

    /// Draws one document at a time.
    func draw(_ job: WorkerJob) async -> Attempts.Outcome<WorkerReply> {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: checked(converse(job), job)) }
        }
    }
}
