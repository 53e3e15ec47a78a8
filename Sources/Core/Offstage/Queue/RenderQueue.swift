import Foundation
import Synchronization

/// Schedules work, and delivers its answers to all requests that wait for it.
///
/// Foundation's `OperationQueue` runs the work, with as many operations at once as the engines can draw. This class
/// chooses the next job when an operation starts. Foundation on Linux respects a waiting operation's priority, but it
/// moves the operation to the end of its new priority's line, lets nothing pass while suspended, cannot share work
/// between requests, and has no rule against starvation.
final class RenderQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias State = QueueState<Key, Value>

    let events: EventHub
    private let state: Mutex<State>
    private let operations = OperationQueue()
    private let isolations: [(any Actor)?]
    private let clock: any Clock<Duration>

    /// An engine's lane in the queue.
    struct Lane: Sendable {
        /// The maximum number of jobs of the lane that run at once.
        var width: Int
        /// The actor on which its jobs begin and end; nil for none.
        var isolation: (any Actor)?
    }

    /// - Parameter configuration: the maximum numbers of running and of waiting jobs in all lanes, and the jobs that
    ///   may start while suspended.
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

    /// Adds a request and returns its number. From here on, it can be cancelled, and it gets one answer.
    ///
    /// - Parameter answer: called once, on any thread, perhaps before this returns.
    func open(_ identifier: String, _ options: RenderOptions, answer: @escaping State.Answer) -> Int {
        change { $0.open(identifier, options, answer) }
    }

    /// Adds the work that an open request needs, or joins the request to equal work.
    ///
    /// - Parameters:
    ///   - lane: the lane of the engine that does the work.
    ///   - key: equal keys mean equal work; nil for unique work.
    ///   - check: called before a request gets the result of work that began before the request joined.
    ///   - work: runs at most once for all requests that joined.
    func enqueue(
        _ number: Int, lane: Int = 0, key: Key?, check: @escaping State.Check = { _ in true },
        _ work: @escaping State.Work
    ) {
        change { $0.enqueue(number, lane: lane, key: key, check: check, work) }
    }

    /// Answers an open request without work. Has no effect on a request that has already been answered.
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

    /// Rejects all further requests with `.finished`.
    func close() { change { $0.isClosed = true } }

    /// Returns when every request has been answered and nothing runs. Several tasks may wait.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Makes a change under the lock, then runs its effects after unlocking, so that no callback runs under the lock.
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

    /// The body of an operation.
    private func begin() -> (@Sendable () async -> Void)? {
        guard let first = change({ $0.take() }) else { return nil }
        return {
            var next: (number: Int, job: State.Job)? = first
            while let one = next { next = await self.work(from: one, isolation: self.isolations[one.job.lane]) }
        }
    }

    /// Does jobs as long as the same lane has the next turn. The next job begins on the thread on which the last one
    /// ended: while engines use all processors, a change of thread would have to wait for one.
    ///
    /// - Returns: the next job, of another lane; nil if none may start.
    private func work(
        from first: (number: Int, job: State.Job), isolation: isolated (any Actor)?
    ) async -> (number: Int, job: State.Job)? {
        var (number, job) = first
        while true {
            let outcome = await job.work(number)
            await end(number, job, outcome)
            // Jobs that fail immediately must not keep the actor from its other work.
            if case .failure = outcome { await Task.yield() }
            guard let next = change({ $0.take() }) else { return nil }
            if next.job.lane != job.lane { return next }
            (number, job) = next
        }
    }

    private nonisolated(nonsending) func end(_ number: Int, _ job: State.Job, _ outcome: State.Outcome) async {
        while change({ $0.complete(number, outcome) }) {
            guard case .success(let value) = outcome, await job.check(value) else {
                // The failure may also result from an older state.
                return change { $0.startAnew(number) }
            }
        }
    }
}

extension RenderQueue: RequestControlling {
    func setPriority(_ priority: RenderPriority, ofRequest number: Int) {
        change { $0.setPriority(priority, of: number) }
    }

    func cancel(requests numbers: [Int]) {
        change { state in
            for number in numbers { state.answer(number, .failure(.cancelled)) }
        }
    }

    func isSuspended(request number: Int) -> Bool {
        state.withLock { state in
            state.isSuspended && state.requests[number]?.job.map { state.waits($0) } ?? false
        }
    }
}

extension RenderQueue: Suspending {
    /// True while any lease suspends the queue. Setting it to true takes a lease for this property, and setting it to
    /// false ends only that lease.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            change { state in
                state.leases[0] = newValue ? 0 : nil
            }
        }
    }

    /// - Parameter count: the number of jobs that may run at once; 0 suspends the queue.
    func limit(to count: Int, for duration: Duration?) -> SuspensionLease {
        precondition(count >= 0, "the number of drawings must be 0 or more")
        let number = change { state in
            state.lastLease += 1
            state.leases[state.lastLease] = count
            return state.lastLease
        }
        return SuspensionLease(of: self, number: number, lasting: duration, by: clock)
    }

    func isActive(lease number: Int) -> Bool { state.withLock { $0.leases[number] != nil } }
    func endLease(_ number: Int) { change { $0.leases[number] = nil } }
}
