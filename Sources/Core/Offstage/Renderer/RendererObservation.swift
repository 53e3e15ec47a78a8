import Synchronization

/// A renderer's observers: of evictions from its memory cache and its store, and of memory pressure.
final class RendererObservation: Sendable {
    private struct State {
        var memory: Listeners<(key: PictureKey, reason: EvictionReason)>.Listener?
        var store: Listeners<StoreEvent>.Listener?
        var pressure: MemoryPressure?
        var trimming: Task<Void, Never>?
    }

    /// The caches to trim under memory pressure. Only the task retains it.
    private final class Trimmed: Sendable {
        let caches: Mutex<[any MemoryTrimming]>
        init(_ caches: [any MemoryTrimming]) { self.caches = Mutex(caches) }

        func trim(to fraction: Double) {
            for cache in caches.withLock({ $0 }) { cache.trimMemory(to: fraction) }
        }
    }

    private let trimmed: Trimmed

    private let state = Mutex(State())

    init(_ configuration: RendererConfiguration, _ shelf: Shelf) {
        let events = shelf.events
        var new = State()
        new.memory = configuration.memory?.observers.add { key, reason in
            // A picture that is too large was never in the cache.
            if reason != .tooLarge { events.emit(.evicted, key.identifier, request: nil) }
        }
        new.store = configuration.store?.place.observers.add { event in
            if case .evicted(let key) = event { events.emit(.evicted, key.identifier, request: nil) }
        }
        let caches: [(any MemoryTrimming)?] = [configuration.memory, configuration.files, shelf.thumbnails]
        let trimmed = Trimmed(caches.compactMap(\.self))
        self.trimmed = trimmed
        if caches.contains(where: { $0 != nil }), configuration.heedsMemoryPressure {
            if configuration.pressure == nil { new.pressure = MemoryPressure() }
            new.trimming = (configuration.pressure ?? new.pressure?.levels).map { levels in
                Task { for await level in levels { trimmed.trim(to: level.fraction) } }
            }
        }
        let state = new
        self.state.withLock { $0 = state }
    }

    deinit { end() }

    /// True while memory pressure is observed.
    var hearsOfPressure: Bool { state.withLock { $0.trimming != nil } }

    /// Trims one more cache under memory pressure. A renderer without its own cache does not observe memory.
    func add(_ cache: any MemoryTrimming) { trimmed.caches.withLock { $0.append(cache) } }

    func trim(to fraction: Double) { trimmed.trim(to: fraction) }

    func end() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        old.trimming?.cancel()
        old.pressure?.stop()
    }
}
