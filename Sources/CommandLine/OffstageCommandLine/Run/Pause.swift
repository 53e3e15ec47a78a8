import Synchronization

/// The suspension of a run: drawings in progress finish, and no new ones start.
final class Pause: Sendable {
    private struct State {
        var isOn = false
        var last = 0
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Set it on one thread only.
    var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set {
            state.withLock { state in
                if state.isOn == newValue { return }
                state.isOn = newValue
                for observer in state.observers.values { observer(newValue) }
            }
        }
    }

    /// Calls the observer at once with the current state, and at each change.
    ///
    /// - Parameter observer: must be quick, and must not use this object.
    /// - Returns: a number for removing the observer.
    @discardableResult
    func observe(_ observer: @escaping @Sendable (Bool) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            observer(state.isOn)
            return state.last
        }
    }

    /// The current state, then each change. If several changes are unread, only the last one is kept.
    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = observe { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
        return stream
    }
}
