import Synchronization

/// Passes on to the caller the value that a check derives from an answer. The value of a later attempt replaces it.
final class CheckedValue<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    func set(_ value: Value) { content.withLock { $0 = value } }

    /// Nil before the first answer.
    var value: Value? { content.withLock { $0 } }
}
