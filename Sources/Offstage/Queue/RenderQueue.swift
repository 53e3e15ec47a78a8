import Foundation
import Synchronization

/// Work that waits for its turn, with an answer for everyone who asked for it.
///
/// Foundation's `OperationQueue` runs it, as much at once as the engine can draw. Who is next is decided here, when an
/// operation starts: Foundation on Linux honours a waiting operation's priority, but sends the operation to the end of its
/// new priority's line, lets nothing pass while suspended, and knows neither joint work nor a rule against starving.
final class RenderQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias State = QueueState<Key, Value>

    let events: EventHub
    private let state: Mutex<State>
    private let operations = OperationQueue()
    private let isolations: [(any Actor)?]
    private let clock: any Clock<Duration>

    /// An engine's place in the queue.
    struct Lane: Sendable {
        /// How much work of the lane may be under way at once.
        var width: Int
        /// The actor on which its work begins and ends; nil for none.
        var isolation: (any Actor)?
    }

    /// - Parameter configuration: how much may be under way in all lanes and how much may wait, and what may start while suspended.
    init(
        lanes: [Lane], configuration: RendererConfiguration = RendererConfiguration(), events: EventHub = EventHub()
    ) {
        isolations = lanes.map(\.isolation)
        let width = configuration.width ?? lanes.map(\.width).max() ?? 1
        self.events = events
        clock = configuration.clock
        state = Mutex(
            State(
                lanes: lanes.map(\.width), width: width, maximumWaiting: configuration.maximumWaiting,
                allowsImmediate: configuration.allowsImmediate, events: events))
        operations.maxConcurrentOperationCount = width
    }

    /// Takes a request in, under a number. From here on it can be cancelled, and gets one answer.
    ///
    /// - Parameter answer: called once, on any thread, maybe before this returns.
    func open(_ identifier: String, _ options: RenderOptions, answer: @escaping State.Answer) -> Int {
        change { $0.open(identifier, options, answer) }
    }

    /// Puts the work that an open request needs into the line, or joins the request to the same work.
    ///
    /// - Parameters:
    ///   - lane: of the engine that does the work.
    ///   - key: equal keys mean the same work; nil, no other is the same.
    ///   - check: asked before somebody gets what was begun before he asked.
    ///   - work: run once at most, for all who joined.
    func enqueue(
        _ number: Int, lane: Int = 0, key: Key?, check: @escaping State.Check = { _ in true },
        _ work: @escaping State.Work
    ) {
        change { $0.enqueue(number, lane: lane, key: key, check: check, work) }
    }

    /// Answers an open request without work; nothing happens to one that has its answer.
    func answer(_ number: Int, _ outcome: State.Outcome) {
        change { $0.answer(number, outcome) }
    }

    func cancel(identifier: String) { change { $0.cancel { $0.identifier == identifier } } }
    func cancel(identifiersWithPrefix prefix: String) { change { $0.cancel { $0.identifier.hasPrefix(prefix) } } }
    func cancel(group: String) { change { $0.cancel { $0.group == group } } }
    func cancelAll() { change { $0.cancel { _ in true } } }

    func setPriority(_ priority: RenderPriority, identifier: String) {
        change { $0.setPriority(priority) { $0.identifier == identifier } }
    }
    func setPriority(_ priority: RenderPriority, group: String) {
        change { $0.setPriority(priority) { $0.group == group } }
    }

    var waitingCount: Int { state.withLock { $0.waitingCount } }
    var width: Int { state.withLock { $0.width } }
    var runningCount: Int { state.withLock { $0.running } }

    /// What is asked for from now on is refused with `.finished`.
    func close() { change { $0.isClosed = true } }

    /// Returns when every request has its answer and nothing runs. Several may wait.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Every change goes through here: under the lock, and what it leads to after that. No lock is held while anything
    /// outside is called.
    @discardableResult
    private func change<Output: Sendable>(_ body: (inout State) -> Output) -> Output {
        let (result, effects) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeEffects())
        }
        events.deliver()
        for _ in 0..<effects.slots { operations.addOperation(RenderOperation { self.begin() }) }
        for (request, outcome) in effects.answers { request.answer(outcome) }
        for one in effects.idle { one.resume() }
        if !effects.answers.isEmpty { change { $0.deliveries -= 1 } }
        return result
    }

    /// What an operation does.
    private func begin() -> (@Sendable () async -> Void)? {
        guard let first = change({ $0.take() }) else { return nil }
        return {
            var next: (number: Int, job: State.Job)? = first
            while let one = next { next = await self.work(from: one, isolation: self.isolations[one.job.lane]) }
        }
    }

    /// Works as long as a lane's turns follow each other. The next job begins where the last one ended, with no other thread in
    /// between: beside engines that use all processors, each change of thread would be a wait for one.
    ///
    /// - Returns: the next job, of another lane; nil if none may start.
    private func work(
        from first: (number: Int, job: State.Job), isolation: isolated (any Actor)?
    ) async -> (number: Int, job: State.Job)? {
        var (number, job) = first
        while true {
            let outcome = await job.work(number)
            await end(number, job, outcome)
            // Jobs that fail at once must not keep the actor from its other work.
            if case .failure = outcome { await Task.yield() }
            guard let next = change({ $0.take() }) else { return nil }
            if next.job.lane != job.lane { return next }
            (number, job) = next
        }
    }

    private nonisolated(nonsending) func end(_ number: Int, _ job: State.Job, _ outcome: State.Outcome) async {
        while change({ $0.complete(number, outcome) }) {
            guard case .success(let value) = outcome, await job.check(value) else {
                // A failure may be that of an older state too.
                return change { $0.startAnew(number) }
            }
        }
    }
}

extension RenderQueue: RequestControlling {
    func setPriority(_ priority: RenderPriority, ofRequest number: Int) {
        change { $0.setPriority(priority, of: number) }
    }

    func cancel(request number: Int) { answer(number, .failure(.cancelled)) }

    func isSuspended(request number: Int) -> Bool {
        state.withLock { state in
            state.isSuspended && state.requests[number]?.job.map { state.waits($0) } ?? false
        }
    }
}

extension RenderQueue: Suspending {
    /// True while anyone suspends the queue. Setting it is a lease of its own: false leaves those of others.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            change { state in
                if newValue { state.leases.insert(0) } else { state.leases.remove(0) }
            }
        }
    }

    func suspend(for duration: Duration?) -> SuspensionLease {
        let number = change { state in
            state.lastLease += 1
            state.leases.insert(state.lastLease)
            return state.lastLease
        }
        return SuspensionLease(of: self, number: number, lasting: duration, by: clock)
    }

    func isSuspended(byLease number: Int) -> Bool { state.withLock { $0.leases.contains(number) } }
    func endLease(_ number: Int) { change { _ = $0.leases.remove(number) } }
}
