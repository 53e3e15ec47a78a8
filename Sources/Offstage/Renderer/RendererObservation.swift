import Synchronization

/// What a renderer hears of what it shares with others: pictures that leave its memory or its store, and short memory.
final class RendererObservation: Sendable {
    private struct State {
        var memory: Listeners<(key: PictureKey, reason: EvictionReason)>.Listener?
        var store: Listeners<StoreEvent>.Listener?
        var pressure: MemoryPressure?
        var trimming: Task<Void, Never>?
    }

    private let state = Mutex(State())

    init(_ configuration: RendererConfiguration, _ events: EventHub) {
        var new = State()
        new.memory = configuration.memory?.observers.add { key, reason in
            // What is too large was never there.
            if reason != .tooLarge { events.emit(.evicted, key.identifier, request: nil) }
        }
        new.store = configuration.store?.place.observers.add { event in
            if case .evicted(let key) = event { events.emit(.evicted, key.identifier, request: nil) }
        }
        if let memory = configuration.memory, configuration.heedsMemoryPressure {
            if configuration.pressure == nil { new.pressure = MemoryPressure() }
            new.trimming = (configuration.pressure ?? new.pressure?.levels).map { memory.trim(on: $0) }
        }
        let state = new
        self.state.withLock { $0 = state }
    }

    deinit { end() }

    /// True while the system is asked for short memory.
    var hearsOfPressure: Bool { state.withLock { $0.trimming != nil } }

    func end() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        old.trimming?.cancel()
        old.pressure?.stop()
    }
}
