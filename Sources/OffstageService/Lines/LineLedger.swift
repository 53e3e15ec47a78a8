import Foundation
import Offstage
import OffstageRequests

/// What a session owes its program: which lines have no answer yet, and what is done for them. It bounds both, and writes the
/// answers one after the other.
actor LineLedger {
    /// A request that has no answer yet.
    struct Entry: Sendable {
        let heading: LineDesk.Heading
        let identifier: String?
        let group: String?
        let control: RequestControl
    }

    private let isOrdered: Bool
    private let limit: Int
    private let hides: MachinePaths?
    private let write: @Sendable (Data) async -> Bool

    private var last = 0
    private var requests: [Int: (entry: Entry, task: Task<Void, Never>)] = [:]
    private var others: [Int: Task<Void, Never>] = [:]
    /// Lines without an answer that is written.
    private var owed: Set<Int> = []
    /// In order of lines: answers whose turn has not come.
    private var finished: [Int: Data] = [:]
    private var nextInOrder = 1
    /// Answers on their way out.
    private var outgoing: [(number: Int, line: Data)] = []
    private var isWriting = false
    /// Bytes of `finished` and `outgoing`, and of what is being written.
    private var waitingBytes = 0
    /// Whose answers are being written. The reader may have them, and close, before the write returns here.
    private var beingWritten: Set<Int> = []
    private var writing: Task<Void, Never>?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var hasLeft = false
    /// Called once the transport is gone.
    private var whenLeft: (@Sendable () -> Void)?
    /// Lines whose answers are not known yet.
    private var unanswered: Set<Int> = []
    private(set) var outcome = LineSession.Outcome()

    /// So many answers go out in one write at most, in bytes, unless one alone is larger.
    private static let batch = 1 << 20
    /// Bytes of answers that nobody has read; over it no request is begun.
    private static let mostWaiting = 16 << 20
    /// Lines that are no requests and have no answer yet, in addition to the requests' limit.
    private static let otherLines = 100
    /// The same while the session itself suspends drawing: what ends that comes in a line. Their answers may have to wait in
    /// order.
    private static let otherLinesSuspended = 10_000

    init(
        isOrdered: Bool, limit: Int, hides: MachinePaths? = nil, write: @escaping @Sendable (Data) async -> Bool
    ) {
        self.hides = hides
        self.isOrdered = isOrdered
        self.limit = limit
        self.write = write
    }

    /// Takes in a line; its answer is owed from now on. Waits until fewer are.
    ///
    /// - Parameter isSuspended: by the session itself.
    /// - Returns: its number; nil when the transport is gone.
    func open(isSuspended: Bool) async -> Int? {
        let others = isSuspended ? Self.otherLinesSuspended : Self.otherLines
        while owed.count >= limit + others, !hasLeft { await change() }
        if hasLeft { return nil }
        last += 1
        owed.insert(last)
        unanswered.insert(last)
        return last
    }

    enum Room { case free, left, suspended }

    /// Waits until another request may be under way. Immediate ones have as much room again, for the others may wait for the end
    /// of a suspension.
    ///
    /// - Parameter isStuck: whether nothing that is under way will come any further before the session itself says so, in a line
    ///   that is still to be read.
    func room(isImmediate: Bool, isStuck: @Sendable ([RequestControl]) -> Bool) async -> Room {
        while requests.count >= (isImmediate ? 2 * limit : limit) || waitingBytes > Self.mostWaiting, !hasLeft {
            // A request gets to where it waits without a word.
            if !isWriting, isStuck(requests.filter { unanswered.contains($0.key) }.map(\.value.entry.control)) {
                return .suspended
            }
            await change(within: .milliseconds(20))
        }
        return hasLeft ? .left : .free
    }

    /// Begins a request's work.
    func begin(_ number: Int, _ entry: Entry, _ work: @escaping @Sendable () async -> ServiceResult) {
        if hasLeft { return }
        requests[number] = (entry, Task { await answer(number, work()) })
    }

    /// Begins what takes time and is no request.
    func begin(_ number: Int, _ work: @escaping @Sendable () async -> ServiceResult) {
        if hasLeft { return }
        others[number] = Task { await answer(number, work()) }
    }

    /// Off the ledger: a result may hold a large picture.
    nonisolated func answer(_ number: Int, _ result: ServiceResult) async {
        var line = (hides.map { result.without($0) } ?? result).jsonLine
        line.append(0x0A)
        await write(number, line, result.code)
    }

    private func write(_ number: Int, _ line: Data, _ code: ServiceResult.Code?) {
        // One that was given up may come to its end all the same.
        if hasLeft || unanswered.remove(number) == nil { return }
        outcome.lines += 1
        if let code, code != .cancelled, code != .superseded { outcome.failed += 1 }
        waitingBytes += line.count
        if isOrdered {
            finished[number] = line
            while let next = finished.removeValue(forKey: nextInOrder) {
                outgoing.append((nextInOrder, next))
                nextInOrder += 1
            }
        } else {
            outgoing.append((number, line))
        }
        // Whoever writes takes these too. A task of its own: the reading goes on, as far as it may.
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
            let numbers = outgoing[..<count].map(\.number)
            outgoing.removeFirst(count)
            beingWritten = Set(numbers)
            let isWritten = await write(bytes)
            beingWritten = []
            guard isWritten else {
                leave()
                outcome.isCutShort = true
                break
            }
            waitingBytes -= bytes.count
            for number in numbers {
                owed.remove(number)
                requests[number] = nil
                others[number] = nil
            }
            wake()
        }
        isWriting = false
    }

    /// The requests without an answer that are meant.
    func entries(where isMeant: (Entry) -> Bool) -> [(entry: Entry, task: Task<Void, Never>)] {
        requests.filter { isMeant($0.value.entry) }.sorted { $0.key < $1.key }.map(\.value)
    }

    var underWay: Int { requests.count }

    /// Waits until all lines before this one have their answers.
    func settle(before number: Int) async {
        while owed.contains(where: { $0 < number }), !hasLeft { await change() }
    }

    /// Waits until all lines have their answers, or the transport is gone.
    func settle() async { await settle(before: .max) }

    /// The transport is gone: everything is withdrawn, and nothing is written any more.
    func leave() {
        if hasLeft { return }
        hasLeft = true
        outcome.isCutShort = !owed.isSubset(of: beingWritten)
        for request in requests.values { request.task.cancel() }
        for other in others.values { other.cancel() }
        // Ends suspensions: nothing of all that is to start then.
        whenLeft?()
        wake()
    }

    /// Notes what a drawing has found lacking, or that it has not.
    func note(_ unavailable: EngineUnavailable?) { outcome.unavailable = unavailable }

    /// Has something done when the transport goes, or at once if it is gone.
    func onLeave(_ action: @escaping @Sendable () -> Void) {
        whenLeft = action
        if hasLeft { action() }
    }

    /// Waits until nothing works for the session any more.
    func stop() async {
        for task in requests.values.map(\.task) + others.values { await task.value }
        await writing?.value
    }

    private func change(within time: Duration) async {
        let waking = Task { if (try? await Task.sleep(for: time)) != nil { wake() } }
        await change()
        waking.cancel()
    }

    private func change() async { await withCheckedContinuation { waiters.append($0) } }

    private func wake() {
        let all = waiters
        waiters = []
        for one in all { one.resume() }
    }
}
