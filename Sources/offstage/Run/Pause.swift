import Synchronization

/// Whether a run is to wait: what is being drawn is finished, and nothing new is begun.
final class Pause: Sendable {
    private struct State {
        var isOn = false
        var last = 0
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Set on one thread.
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

    /// Calls at once with what holds now, and at each change.
    ///
    /// - Parameter observer: quick; it asks nothing of this.
    /// - Returns: a number to stop it by.
    @discardableResult
    func observe(_ observer: @escaping @Sendable (Bool) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            observer(state.isOn)
            return state.last
        }
    }

    /// What holds now, then each change; of several that nobody has looked at, the last.
    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = observe { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
        return stream
    }
}
