import COffstageSystem
import COffstageWire
import Foundation
import Offstage

/// Runs a job and receives its answer, on the worker's queue, which it blocks.
extension WorkerProcess {
    func converse(_ job: WorkerJob) -> Attempts.Outcome<WorkerReply> {
        let drawings: Int
        do throws(ProcessLoss) {
            drawings = try life.withLock { life throws(ProcessLoss) in
                try life.begin(.expected)
                return life.drawings
            }
        } catch { return .lost(error) }
        let start = ContinuousClock.now
        let outcome = exchange(job, number: UInt32(truncatingIfNeeded: drawings))
        share(outcome, job)
        // Checked after each drawing: an idle worker takes no more than this, whatever a document made it keep.
        let wear = recycling.wear(after: drawings, time: start.duration(to: .now), looksAlways: true) { held() }
        life.withLock { life in
            life.finish(mustLeave: false)
            if let wear { life.wear(wear) }
        }
        beginRest()
        return outcome
    }

    /// The bytes that an idle worker uses, in memory or swapped out; `.max` for a worker that must be replaced.
    func held() -> Int {
        guard let own = WorkerMemory.ownBytes(of: number), WorkerMemory.threads(of: number) <= Self.mostThreadsAtRest
        else { return .max }
        return sharedBytes.withLock { $0 } > recycling.memory ? .max : own
    }

    /// Counts a picture and a document. Code that took over the worker can keep a page of each mapped, and thereby all
    /// of its memory, which the kernel does not charge to the worker.
    private func share(_ outcome: Attempts.Outcome<WorkerReply>, _ job: WorkerJob) {
        var bytes = job.file == nil ? job.documentBytes : 0
        if case .drawn(.drawn(let answer), _) = outcome, let size = answer.pixmap?.size {
            bytes += 4 * size.width * size.height
        }
        sharedBytes.withLock { $0 += bytes }
    }

    private func exchange(_ job: WorkerJob, number request: UInt32) -> Attempts.Outcome<WorkerReply> {
        guard let ends = ends.withLock({ $0 }) else { return lose(.ended, isSeen: false) }
        var job = job
        job.budget = job.budget.feasible
        // A message that is already here is not an answer to this job: it was left by an older document.
        switch ends.connection.receive(within: 0) {
        case .timeout: break
        case .end: return lose(.ended, isSeen: false)
        case .message: return lose(.lied(.answer), isSeen: false)
        case .malformed: return lose(.lied(.answer), isSeen: false)
        }
        guard let used = limit(job.budget), endRest(ends) else { return lose(.ended, isSeen: false) }
        do throws(WorkerSystemError) {
            let room = try Self.room(job.budget)
            let outcome = try exchange(job, room: room, number: request, usedBefore: used, over: ends.connection)
            if case .drawn(.drawn(let answer), _) = outcome, answer.pixmap != nil { return outcome }
            // Code that took over the worker may keep the descriptor.
            if case .some(let room) = room { ftruncate(room.number, 0) }
            return outcome
        } catch { return .failed(.unavailable(error.unavailable)) }
    }

    private func exchange(
        _ job: WorkerJob, room: borrowing OwnedDescriptor?, number request: UInt32, usedBefore used: Int,
        over connection: borrowing WorkerConnection
    ) throws(WorkerSystemError) -> Attempts.Outcome<WorkerReply> {
        let start = ContinuousClock.now
        guard try send(job, room: room, number: request, over: connection) else {
            return lose(.ended, isSeen: false)
        }
        switch receive(job, number: request, usedBefore: used, over: connection) {
        case .message(let message):
            do throws(WorkerLie) {
                let reply = try WorkerReply(message, from: trust, room: room, number: request, limit: job.budget.pixels)
                guard case .drawn(var drawn) = reply else { return answer(reply, to: job) }
                drawn.seconds = start.duration(to: .now) / .seconds(1)
                return answer(.drawn(drawn), to: job)
            } catch { return lose(.lied(error), isSeen: true) }
        case .fault(let fault): return lose(fault, isSeen: true)
        case .endUnread: return lose(.ended, isSeen: false)
        case .late: return lose(.overTime(job.budget), isSeen: false)
        case .end:
            let fault = reasonOfEnd(job)
            return lose(fault ?? .ended, isSeen: fault != nil)
        }
    }

    // MARK: The job

    /// Sets the worker's limits for a job.
    ///
    /// - Returns: the processor time that it has used, milliseconds; nil if it has ended.
    private func limit(_ budget: WorkerBudget) -> Int? {
        let used = offstage_processor_time(number)
        let seconds = UInt(max(0, used) / 1000 + 1 + budget.processorSeconds)
        guard used >= 0, offstage_budget(number, seconds, budget.memory) == 0 else { return nil }
        return used
    }

    /// The memory for a job's picture: it belongs to the host, so that a worker cannot have memory for more than one
    /// picture.
    ///
    /// - Returns: nil for a job without a picture.
    private static func room(_ budget: WorkerBudget) throws(WorkerSystemError) -> OwnedDescriptor? {
        if budget.pixels == 0 { return nil }
        let file = offstage_wire_room(budget.pictureBytes)
        guard file >= 0 else { throw WorkerSystemError("memory for the picture") }
        return OwnedDescriptor(file)
    }

    private func send(
        _ job: WorkerJob, room: borrowing OwnedDescriptor?, number: UInt32, over connection: borrowing WorkerConnection
    ) throws(WorkerSystemError) -> Bool {
        let picture: Int32? =
            switch room {
            case .some(let room): room.number
            case .none: nil
            }
        func send(_ document: Int32?) -> Bool {
            connection.send(job, number: number, document: document, picture: picture)
        }
        if let file = job.file { return send(file.descriptor.number) }
        if let shared = job.shared { return send(shared.descriptor.number) }
        if job.document.isEmpty { return send(nil) }
        let file = job.document.withUnsafeBytes { offstage_wire_sealed($0.baseAddress, $0.count) }
        guard file >= 0 else { throw WorkerSystemError("memory for the document") }
        let document = OwnedDescriptor(file)
        let isSent = send(document.number)
        // Don't close it earlier.
        _ = consume document
        return isSent
    }

    // MARK: The answer

    private enum Answer: ~Copyable {
        case message(WorkerConnection.Message)
        case fault(WorkerFault)
        case end
        /// The worker ended without having read the job.
        case endUnread
        /// The time is over, and the worker has not read the job.
        case late
    }

    /// Waits for the message after all parts. A part that the job does not expect is returned as that message, although
    /// it is not an answer.
    ///
    /// The kernel enforces the limit on processor time with a signal, which code that took over the worker can block.
    /// So the host also checks the time.
    ///
    /// - Parameter used: the processor time before the job, milliseconds.
    private func receive(
        _ job: WorkerJob, number request: UInt32, usedBefore used: Int, over connection: borrowing WorkerConnection
    ) -> Answer {
        let deadline = ContinuousClock.now + .milliseconds(Int64(job.budget.milliseconds))
        let mostProcessorTime = used + (job.budget.processorSeconds + 2) * 1000
        var nextLook = ContinuousClock.now + Self.look
        var (number, bytes) = (0, 0)
        while true {
            switch connection.receive(within: Self.milliseconds(until: min(deadline, nextLook))) {
            case .message(let message):
                let head = message.head
                guard let takePart = job.takePart, head.kind == OFFSTAGE_WIRE_PART.rawValue, head.number == request,
                    message.payload.count <= job.budget.partBytes - bytes, number < job.budget.mostParts
                else { return .message(message) }
                bytes += message.payload.count
                takePart(
                    WorkerPart(
                        number: number, bytes: message.payload, done: head.values.0, total: head.values.1,
                        numbers: [head.values.2, head.values.3]))
                number += 1
            case .timeout: break
            case .malformed: return .fault(.lied(.answer))
            case .end(true): return .endUnread
            case .end(false): return .end
            }
            let now = ContinuousClock.now
            // Code that an older document left in the worker may be running instead.
            if now >= deadline { return connection.hasUnread ? .late : .fault(.overTime(job.budget)) }
            if now >= nextLook {
                if offstage_processor_time(self.number) > mostProcessorTime {
                    return .fault(.overProcessorTime(job.budget))
                }
                if WorkerMemory.threads(of: self.number) > Self.mostThreads { return .fault(.lied(.threads)) }
                nextLook = now + Self.look
            }
        }
    }

    private static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
        return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// The time between two measurements of a drawing.
    private static let look = Duration.milliseconds(100)
    /// The maximum number of threads between jobs: decoders do not keep their threads.
    private static let mostThreadsAtRest = 8
    /// The maximum number of threads: more than a decoder starts on a machine with many processors. The kernel also has
    /// a limit, but not for root.
    private static let mostThreads = 256

    private func answer(_ reply: WorkerReply, to job: WorkerJob) -> Attempts.Outcome<WorkerReply> {
        life.withLock { $0.commit() }
        switch reply {
        case .drawn, .failed: return .drawn(reply, isBlank: false)
        case .noMemory: return lose(.overMemory(job.budget), isSeen: true)
        case .tooManyPixels(let size): return .failed(.tooManyPixels(measured: size, limit: job.budget.pixels))
        }
    }

    // MARK: The end

    /// The maximum time between the end of the connection and the end of the process, milliseconds.
    private static let lastMoments: Int32 = 200

    /// The reason why the worker closed the connection during a drawing; nil if something else killed it. The kernel
    /// can give a document even to a process that is being killed.
    private func reasonOfEnd(_ job: WorkerJob) -> WorkerFault? {
        // The worker may have closed only the connection, and still be running.
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
        // The worker may have made a forbidden call between two documents.
        if fault == .ended, !isSeen { _ = process.ends(within: Self.lastMoments) }
        kill()
        if fault.isMisconduct || fault == .ended && !isSeen && process.reap() == SIGSYS { trust.lose() }
        guard isSeen, fault.accuses else { return .lost(loss) }
        return loss.isAlone ? fault.error.map { .failed($0) } ?? .lost(loss) : .lost(Self.byAnother)
    }

    /// An earlier document may have taken over the worker. So draw this one again, alone, as after a crash.
    private static let byAnother = ProcessLoss(.crashed, blame: .document, isAlone: false)

    /// Runs the job's check of an answer. An untrue answer ends the worker.
    func checked(_ outcome: Attempts.Outcome<WorkerReply>, _ job: WorkerJob) -> Attempts.Outcome<WorkerReply> {
        guard let check = job.check, case .drawn(.drawn(let answer), _) = outcome else { return outcome }
        do throws(DrawingError) {
            try check(answer)
            return outcome
        } catch {
            guard error.isUntrueAnswer else { return .failed(error) }
            trust.lose()
            return life.withLock { $0.drawings } <= 1 ? .failed(error) : .lost(Self.byAnother)
        }
    }
}
