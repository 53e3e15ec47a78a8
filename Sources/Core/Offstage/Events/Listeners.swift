import Synchronization

/// Callbacks for events of a shared object.
package final class Listeners<Event: Sendable>: Sendable {
    private struct State {
        var last = 0
        var hooks: [Int: @Sendable (Event) -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Listens until it is released.
    package final class Listener: Sendable {
        private let remove: @Sendable () -> Void
        fileprivate init(_ remove: @escaping @Sendable () -> Void) { self.remove = remove }
        deinit { remove() }
    }

    /// - Parameter hook: called on the thread of the event, without a lock.
    package func add(_ hook: @escaping @Sendable (Event) -> Void) -> Listener {
        let number = state.withLock { state in
            state.last += 1
            state.hooks[state.last] = hook
            return state.last
        }
        return Listener { [weak self] in _ = self?.state.withLock { $0.hooks.removeValue(forKey: number) } }
    }

    /// True without listeners.
    package var isEmpty: Bool { state.withLock { $0.hooks.isEmpty } }

    package func tell(_ event: Event) {
        let hooks = state.withLock { Array($0.hooks.values) }
        for hook in hooks { hook(event) }
    }
}
