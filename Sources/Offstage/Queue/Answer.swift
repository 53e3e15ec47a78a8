import Synchronization

/// A value that one task waits for and that others may try to give: the first to give it wins, nil stands for none.
final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value?, Never>)
        case given(Value?)
        case over
    }

    private let state = Mutex(State.empty)

    /// Waits for the answer; at most one task may wait.
    ///
    /// - Parameter start: called once the answer can be received; not called if it is there already.
    func wait(_ start: () -> Void) async -> Value? {
        await withCheckedContinuation { continuation in
            let given: Value?? = state.withLock { state in
                switch state {
                case .empty:
                    state = .awaited(continuation)
                    return nil
                case .given(let value):
                    state = .over
                    return .some(value)
                case .awaited, .over:
                    preconditionFailure("an answer is waited for once")
                }
            }
            if let given { continuation.resume(returning: given) } else { start() }
        }
    }

    /// The first value given is the answer; later ones are dropped.
    func give(_ value: Value?) {
        let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .given(value)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .given, .over:
                return nil
            }
        }
        waiting?.resume(returning: value)
    }
}
