import Synchronization

/// A value that is set later, once. Any number of tasks can wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case kept(Value)
    }

    private let state = Mutex(State.open([]))

    /// Nil until the value is set.
    var valueIfKept: Value? {
        state.withLock { state in
            if case .kept(let value) = state { value } else { nil }
        }
    }

    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let kept: Value? = state.withLock { state in
                    switch state {
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    case .kept(let value):
                        return value
                    }
                }
                if let kept { continuation.resume(returning: kept) }
            }
        }
    }

    package init() {}

    package func keep(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .open(let waiting) = state else { preconditionFailure("a promise is set once") }
            state = .kept(value)
            return waiting
        }
        for one in waiting { one.resume(returning: value) }
    }
}
