import COffstageSystem
import COffstageWire
import Dispatch
import Foundation
import Offstage
import Synchronization

/// One worker: its process and the connection to it. Both end with the last reference at the latest.
///
/// A drawing blocks a thread of the worker's own queue, so that an answer wakes exactly one thread.
final class WorkerProcess: Sendable {
    let protections: WorkerProtections
    /// Nil after `end`.
    private let ends: Mutex<Ends?>
    /// The worker, or bubblewrap, whose only child the worker is.
    private let process: SpawnedProcess
    /// The worker's number here. Used only while `process` has not been reaped.
    let number: pid_t
    private let queue: DispatchQueue
    private let recycling: Recycling
    private let life = Mutex(ProcessLife())

    /// The descriptors. `end` lets go of them, so that they are closed although somebody may still refer to the worker.
    private final class Ends: Sendable {
        let connection: WorkerConnection
        /// The worker itself.
        let handle: OwnedDescriptor

        init(_ connection: consuming WorkerConnection, _ handle: consuming OwnedDescriptor) {
            self.connection = connection
            self.handle = handle
        }
    }

    /// Takes over a worker that has said that it is ready.
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
    }

    deinit { kill() }

    /// True if it can draw another document, and no successor should.
    var isReusable: Bool { life.withLock { $0.isUsable && !$0.isWorn } }

    /// True if it crashed, hung, lied or exceeded a limit.
    var isLost: Bool { life.withLock { $0.loss != nil } }

    /// Ends it, also during a drawing, which then notices the loss. Does not wait.
    func kill() {
        if let ends = ends.withLock({ $0 }) { _ = offstage_end_process(ends.handle.number) }
    }

    /// Ends it, and waits until nothing of it remains.
    func end() async {
        life.withLock { $0.close() }
        kill()
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                process.reap()
                ends.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }

    /// Draws a document. One at a time.
    func draw(_ job: WorkerJob) async -> Attempts.Outcome<WorkerReply> {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: converse(job)) }
        }
    }

    private func converse(_ job: WorkerJob) -> Attempts.Outcome<WorkerReply> {
        let drawings: Int
        do throws(ProcessLoss) {
            drawings = try life.withLock { life throws(ProcessLoss) in
                try life.begin(.expected)
                return life.drawings
            }
        } catch { return .lost(error) }
        let start = ContinuousClock.now
        let outcome = exchange(job, number: UInt32(truncatingIfNeeded: drawings))
        let wear = recycling.wear(after: drawings, time: start.duration(to: .now)) {
            WorkerMemory.ownBytes(of: number)
        }
        life.withLock { life in
            life.finish(mustLeave: false)
            if let wear { life.wear(wear) }
        }
        return outcome
    }

    private func exchange(_ job: WorkerJob, number request: UInt32) -> Attempts.Outcome<WorkerReply> {
        guard let ends = ends.withLock({ $0 }) else { return lose(.ended, isSeen: false) }
        return exchange(job, number: request, over: ends)
    }

    private func exchange(_ job: WorkerJob, number request: UInt32, over ends: Ends) -> Attempts.Outcome<WorkerReply> {
        var job = job
        job.budget = job.budget.feasible
        // Whatever is here already is no answer to this job. An older document left it.
        switch ends.connection.receive(within: 0) {
        case .timeout: break
        case .end: return lose(.ended, isSeen: false)
        case .message: return lose(.lied(.answer), isSeen: false)
        case .malformed: return lose(.lied(.answer), isSeen: false)
        }
        guard limit(job.budget) else { return lose(.ended, isSeen: false) }
        do {
            guard try send(job, number: request, over: ends.connection) else { return lose(.ended, isSeen: false) }
        } catch { return .failed(.unavailable(error.unavailable)) }

        switch receive(job, number: request, over: ends.connection) {
        case .message(let message):
            do throws(WorkerLie) {
                let reply = try WorkerReply(message, number: request, limit: job.budget.pixels)
                return answer(reply, to: job)
            } catch { return lose(.lied(error), isSeen: true) }
        case .malformed: return lose(.lied(.answer), isSeen: true)
        case .timeout: return lose(.overTime(job.budget), isSeen: true)
        case .end(true): return lose(.ended, isSeen: false)
        case .end(false):
            let fault = reasonOfEnd(job)
            return lose(fault ?? .ended, isSeen: fault != nil)
        }
    }

    /// The message after all parts. A part that the job does not expect is that message: it is not an answer.
    private func receive(
        _ job: WorkerJob, number request: UInt32, over connection: borrowing WorkerConnection
    ) -> WorkerConnection.Event {
        let deadline = ContinuousClock.now + .milliseconds(Int64(job.budget.milliseconds))
        var (number, bytes) = (0, 0)
        var milliseconds = job.budget.milliseconds
        while true {
            switch connection.receive(within: milliseconds) {
            case .message(let message):
                let head = message.head
                guard let takePart = job.takePart, head.kind == OFFSTAGE_WIRE_PART.rawValue, head.number == request,
                    message.payload.count <= job.budget.partBytes - bytes
                else { return .message(message) }
                bytes += message.payload.count
                takePart(
                    WorkerPart(
                        number: number, bytes: message.payload, done: head.values.0, total: head.values.1,
                        numbers: [head.values.2, head.values.3]))
            case let event: return event
            }
            number += 1
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return .timeout }
            let (seconds, attoseconds) = left.components
            milliseconds = Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
    }

    private func answer(_ reply: WorkerReply, to job: WorkerJob) -> Attempts.Outcome<WorkerReply> {
        life.withLock { $0.commit() }
        switch reply {
        case .drawn, .failed: return .drawn(reply, isBlank: false)
        case .noMemory: return lose(.overMemory(job.budget), isSeen: true)
        case .tooManyPixels(let size): return .failed(.tooManyPixels(measured: size, limit: job.budget.pixels))
        }
    }

    /// Allows the worker what a job may use.
    ///
    /// - Returns: false if it has ended.
    private func limit(_ budget: WorkerBudget) -> Bool {
        let used = offstage_processor_time(number)
        guard used >= 0 else { return false }
        let seconds = UInt(used / 1000 + 1 + budget.processorSeconds)
        return offstage_budget(number, seconds, budget.memory, budget.pictureBytes) == 0
    }

    private func send(
        _ job: WorkerJob, number: UInt32, over connection: borrowing WorkerConnection
    ) throws(WorkerSystemError) -> Bool {
        if let file = job.file { return connection.send(job, number: number, document: file.descriptor.number) }
        if let shared = job.shared {
            return connection.send(job, number: number, document: shared.descriptor.number)
        }
        if job.document.isEmpty { return connection.send(job, number: number, document: nil) }
        let file = job.document.withUnsafeBytes { offstage_wire_sealed($0.baseAddress, $0.count) }
        guard file >= 0 else { throw WorkerSystemError("memory for the document") }
        let document = OwnedDescriptor(file)
        let isSent = connection.send(job, number: number, document: document.number)
        // Not closed before.
        _ = consume document
        return isSent
    }

    /// The longest time between the end of the connection and that of the process, milliseconds.
    private static let lastMoments: Int32 = 200

    /// The reason for which the worker closed the connection during a drawing; nil if something else killed it. The kernel can give
    /// a document even to a process that is being killed.
    private func reasonOfEnd(_ job: WorkerJob) -> WorkerFault? {
        // It may have closed only the connection.
        let hasEnded = process.ends(within: Self.lastMoments)
        kill()
        switch process.reap() {
        case SIGKILL where hasEnded: return nil
        case SIGSYS: return .forbiddenCall
        case SIGXCPU: return .overProcessorTime(job.budget)
        default: return .ended
        }
    }

    /// - Parameter isSeen: false if the worker certainly has not read the document.
    private func lose(_ fault: WorkerFault, isSeen: Bool) -> Attempts.Outcome<WorkerReply> {
        let loss = life.withLock { life in
            if isSeen { life.commit() }
            life.lose(fault.cause, blame: isSeen ? nil : .nobody)
            return life.loss ?? ProcessLoss(fault.cause, blame: .nobody, isAlone: life.drawings <= 1)
        }
        kill()
        if isSeen, let error = fault.error { return .failed(error) }
        return .lost(loss)
    }
}
