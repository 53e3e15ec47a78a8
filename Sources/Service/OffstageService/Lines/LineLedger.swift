import Foundation
import Offstage
import OffstageRequests

/// Tracks a session's unanswered lines and the work for them. It limits both, and writes the answers one at a time.
actor LineLedger {
    /// An unanswered request.
    struct Entry: Sendable {
        let heading: ServiceResult.Heading
        let identifier: String?
        let group: String?
        let control: RequestControl
    }

    private let isOrdered: Bool
    private let limit: Int
    private let memory: any LineMemory
    private let hides: MachinePaths?
    private let progress: LineProgress
    private let write: @Sendable (Data) async -> Bool

    private var last = 0
    private var requests: [Int: Entry] = [:]
    /// The work of requests, and of commands that take time.
    private var tasks: [Int: Task<Void, Never>] = [:]
    /// Lines whose answers are not written yet.
    private var owed: Set<Int> = []
    /// Lines whose answers are not known yet.
    private var unanswered: Set<Int> = []
    /// The memory of lines whose answers are not written yet.
    private var held: [Int: any LineReservation] = [:]

    private struct Answer {
        let number: Int
        let line: Data
        /// Nil if the line has no reservation.
        let memory: (any LineReservation)?
    }

    /// Answers that wait for those of earlier lines.
    private var finished: [Int: Answer] = [:]
    private var nextInOrder = 1
    /// Answers to write next.
    private var outgoing: [Answer] = []
    private var isWriting = false
    /// The bytes of `finished`, of `outgoing`, and of the write in progress.
    private var waitingBytes = 0
    /// The number of these answers without memory.
    private var overdrawn = 0
    /// The lines of the write in progress. The reader may receive their answers and close the connection before the
    /// write returns.
    private var beingWritten: Set<Int> = []
    private var writing: Task<Void, Never>?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// The transport has ended.
    private var hasLeft = false
    private var whenLeft: (@Sendable () -> Void)?
    private(set) var outcome = LineSession.Outcome()

    /// The maximum number of bytes of several answers in one write.
    private static let batch = 1 << 20
    /// The bytes of unread answers above which no request begins.
    private static let mostWaiting = 16 << 20
    /// The maximum number of unanswered lines, in addition to the requests.
    private static let otherLines = 100
    /// The same limit while the session suspends drawing: the command that ends the suspension is in a later line. In
    /// an ordered session, all answers before that one wait.
    private static let otherLinesSuspended = 10_000

    init(
        isOrdered: Bool, limit: Int, memory: any LineMemory = UnlimitedLineMemory(), hides: MachinePaths? = nil,
        progress: LineProgress = LineProgress(), write: @escaping @Sendable (Data) async -> Bool
    ) {
        (self.isOrdered, self.limit, self.memory) = (isOrdered, limit, memory)
        (self.hides, self.progress, self.write) = (hides, progress, write)
    }

    // MARK: Lines and requests

    /// Adds a line, which needs an answer. Waits while there are too many, and while an answer without memory is being written.
    ///
    /// - Parameters:
    ///   - isSuspended: true if the session itself suspends drawing.
    ///   - memory: the line's memory reservation, until its answer is written.
    /// - Returns: the line's number; nil if the transport has ended.
    func open(isSuspended: Bool, with memory: (any LineReservation)?) async -> Int? {
        let others = isSuspended ? Self.otherLinesSuspended : Self.otherLines
        while owed.count >= limit + others || overdrawn > 0 && isWriting, !hasLeft { await change() }
        if hasLeft { return nil }
        last += 1
        held[last] = memory
        owed.insert(last)
        unanswered.insert(last)
        progress.add(1)
        return last
    }

    enum Room { case free, left, suspended }

    /// Waits until another request may begin. Immediate requests have twice the limit, because the others may be
    /// waiting for the end of a suspension.
    ///
    /// - Parameter isStuck: returns true if these requests wait for a command of the session in a later line.
    func room(isImmediate: Bool, isStuck: @Sendable ([RequestControl]) -> Bool) async -> Room {
        let most = isImmediate ? 2 * limit : limit
        while requests.count >= most || waitingBytes > Self.mostWaiting || overdrawn > 0, !hasLeft {
            if hasStuck(isStuck) { return .suspended }
            await changeOrTime()
        }
        return hasLeft ? .left : .free
    }

    /// Waits for memory from earlier lines, or from other sessions.
    ///
    /// - Returns: false if no line of the session has memory that becomes free without a later line.
    func mayFreeMemory(isStuck: @Sendable ([RequestControl]) -> Bool) async -> Bool {
        if hasLeft || held.isEmpty || hasStuck(isStuck) { return false }
        await changeOrTime()
        return !hasLeft
    }

    /// True if no answer is being written, and all requests wait for a later line.
    private func hasStuck(_ isStuck: ([RequestControl]) -> Bool) -> Bool {
        !isWriting && isStuck(requests.filter { unanswered.contains($0.key) }.map(\.value.control))
    }

    /// No event reports that a request has reached the queue, so check again after a while.
    private func changeOrTime() async {
        let waking = Task { if (try? await Task.sleep(for: .milliseconds(20))) != nil { wake() } }
        await change()
        waking.cancel()
    }

    /// Begins the work for a line.
    ///
    /// - Parameter entry: nil for a command.
    func begin(_ number: Int, _ entry: Entry? = nil, _ work: @escaping @Sendable () async -> ServiceResult) {
        if hasLeft { return }
        requests[number] = entry
        tasks[number] = Task { await answer(number, work()) }
    }

    var requestCount: Int { requests.count }

    /// - Returns: the number of requests.
    func setPriority(_ priority: RenderPriority, of target: LineTarget) -> Int {
        let found = requests.values.filter(target.matches)
        for entry in found { entry.control.setPriority(priority) }
        return found.count
    }

    /// - Returns: the number of requests.
    func cancel(_ target: LineTarget) -> Int {
        let found = requests.filter { target.matches($0.value) }.keys.sorted()
        for number in found { tasks[number]?.cancel() }
        return found.count
    }

    /// Records whether the last drawing had an engine. Cached pictures and other errors do not count.
    func note(_ drawn: Result<[RenderedFiles], ServiceError>) {
        switch drawn {
        case .success(let pictures): if !pictures.allSatisfy(\.isCached) { outcome.unavailable = nil }
        case .failure(let error): if case .unavailable(let lack)? = error.reason { outcome.unavailable = lack }
        }
    }

    // MARK: Answers

    /// Encodes the answer off the actor, because it may contain a large picture.
    nonisolated func answer(_ number: Int, _ result: ServiceResult) async {
        var line = (hides.map { result.without($0) } ?? result).jsonLine
        line.append(0x0A)
        await write(number, line, result.code)
    }

    private func write(_ number: Int, _ line: Data, _ code: ServiceResult.Code?) {
        if hasLeft || unanswered.remove(number) == nil { return }
        outcome.lines += 1
        if let code, code != .cancelled, code != .superseded { outcome.failed += 1 }
        waitingBytes += line.count
        let answer = Answer(number: number, line: line, memory: memory.reserve(line.count))
        if answer.memory == nil { overdrawn += 1 }
        if isOrdered {
            finished[number] = answer
            while let next = finished.removeValue(forKey: nextInOrder) {
                outgoing.append(next)
                nextInOrder += 1
            }
        } else {
            outgoing.append(answer)
        }
        // A write in progress takes these, too. Writing has its own task, so that reading continues meanwhile.
        if isWriting || outgoing.isEmpty { return }
        isWriting = true
        writing = Task { await writeAll() }
    }

    private func writeAll() async {
        while !outgoing.isEmpty, !hasLeft {
            var (count, bytes) = (0, Data())
            while count < outgoing.count, count == 0 || bytes.count + outgoing[count].line.count <= Self.batch {
                bytes.append(outgoing[count].line)
                count += 1
            }
            // Answers keep their memory reservation until they are written.
            let answers = Array(outgoing[..<count])
            outgoing.removeFirst(count)
            beingWritten = Set(answers.map(\.number))
            let isWritten = await write(bytes)
            beingWritten = []
            guard isWritten else {
                leave()
                outcome.isCutShort = true
                break
            }
            waitingBytes -= bytes.count
            for answer in answers {
                if answer.memory == nil { overdrawn -= 1 }
                if owed.remove(answer.number) != nil { progress.add(-1) }
                held[answer.number] = nil
                requests[answer.number] = nil
                tasks[answer.number] = nil
            }
            wake()
        }
        isWriting = false
    }

    /// Waits until all lines before this one are answered, or the transport has ended.
    func settle(before number: Int = .max) async {
        while owed.contains(where: { $0 < number }), !hasLeft { await change() }
    }

    // MARK: The end

    /// Runs an action when the transport ends, or immediately if it has ended.
    func onLeave(_ action: @escaping @Sendable () -> Void) {
        whenLeft = action
        if hasLeft { action() }
    }

    /// The transport has ended: cancels everything and writes nothing more.
    func leave() {
        if hasLeft { return }
        hasLeft = true
        outcome.isCutShort = !owed.isSubset(of: beingWritten)
        for task in tasks.values { task.cancel() }
        // Do this after the cancellation: it ends suspensions, and none of the requests may then start.
        whenLeft?()
        wake()
    }

    /// Waits until all tasks of the session have ended.
    func stop() async {
        for task in tasks.values { await task.value }
        await writing?.value
    }

    private func change() async { await withCheckedContinuation { waiters.append($0) } }

    private func wake() {
        let all = waiters
        waiters = []
        for one in all { one.resume() }
    }
}
