import Synchronization

/// Counts events, and passes them to observers.
///
/// `record` may be called under another lock, so that events have the same order as the changes that they report.
/// `deliver` must not, because it wakes observers. One thread at a time delivers the events of all threads.
final class EventHub: Sendable {
    private struct State {
        var counters = RenderCounters()
        var observers: [Int: AsyncStream<RenderEvent>.Continuation] = [:]
        var lastObserver = 0
        var pending: [RenderEvent] = []
        var isDelivering = false
        var isOver = false
    }

    private let state = Mutex(State())

    deinit { for observer in state.withLock({ $0.observers }).values { observer.finish() } }

    var counters: RenderCounters { state.withLock { $0.counters } }

    /// - Parameter limit: the maximum number of events that wait for an observer. If there are more, the observer
    ///   misses the oldest.
    func stream(limit: Int) -> AsyncStream<RenderEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RenderEvent.self, bufferingPolicy: .bufferingNewest(limit))
        let number: Int? = state.withLock { state in
            if state.isOver { return nil }
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            return state.lastObserver
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    func record(_ kind: RenderEvent.Kind, _ identifier: String, request: Int?) {
        state.withLock { state in
            state.counters.count(kind)
            if state.observers.isEmpty { return }
            state.pending.append(RenderEvent(kind: kind, identifier: identifier, request: request, time: .now))
        }
    }

    func deliver() {
        var isMine = false
        while true {
            let (events, observers, isOver) = state.withLock { state in
                if state.isDelivering && !isMine {
                    // The thread that is delivering takes these too.
                    return ([RenderEvent](), [AsyncStream<RenderEvent>.Continuation](), false)
                }
                let observers = Array(state.observers.values)
                let events = state.pending
                state.pending = []
                isMine = !events.isEmpty
                state.isDelivering = isMine
                if state.isOver && events.isEmpty { state.observers = [:] }
                return (events, observers, state.isOver)
            }
            for event in events { for observer in observers { observer.yield(event) } }
            if events.isEmpty {
                if isOver { for observer in observers { observer.finish() } }
                return
            }
        }
    }

    func emit(_ kind: RenderEvent.Kind, _ identifier: String, request: Int?) {
        record(kind, identifier, request: request)
        deliver()
    }

    /// Ends the observers' streams after the events so far.
    func finish() {
        state.withLock { $0.isOver = true }
        deliver()
    }
}
