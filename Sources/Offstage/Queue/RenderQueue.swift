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
    private let isolation: (any Actor)?
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - width: how much work may be under way at once.
    ///   - isolation: the actor on which work is begun and ended; nil for none.
    ///   - configuration: how much may wait, and what may start while suspended.
    init(
        width: Int, isolation: (any Actor)? = nil, configuration: RendererConfiguration = RendererConfiguration(),
        events: EventHub = EventHub()
    ) {
        self.isolation = isolation
        self.events = events
        clock = configuration.clock
        state = Mutex(
            State(
                width: width, maximumWaiting: configuration.maximumWaiting,
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
    ///   - key: equal keys mean the same work; nil, no other is the same.
    ///   - check: asked before somebody gets what was begun before he asked.
    ///   - work: run once at most, for all who joined.
    func enqueue(
        _ number: Int, key: Key?, check: @escaping State.Check = { _ in true }, _ work: @escaping State.Work
    ) {
        change { $0.enqueue(number, key: key, check: check, work) }
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

    /// The groups of the requests that wait for the end of a suspension.
    var suspendedGroups: Set<String> {
        state.withLock { state in
            if !state.isSuspended { return [] }
            return Set(
                state.requests.values.compactMap { request in
                    request.job.flatMap { state.waits($0) ? request.group : nil }
                })
        }
    }

    var waitingCount: Int { state.withLock { $0.line.count } }
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
        return { await self.work(from: first, isolation: self.isolation) }
    }

    /// Works as long as there is something to do. Where one job ends the next begins, with no other thread in between: beside
    /// engines that have all processors busy, each change of thread would be a wait for one.
    private func work(from first: (number: Int, job: State.Job), isolation: isolated (any Actor)?) async {
        var next: (number: Int, job: State.Job)? = first
        while let (number, job) = next {
            let outcome = await job.work(number)
            await end(number, job, outcome)
            // Jobs that fail at once do not keep the actor from its other work.
            if case .failure = outcome { await Task.yield() }
            next = change { $0.take() }
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
