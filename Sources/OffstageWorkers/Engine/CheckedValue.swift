import Synchronization

/// What the check of an answer has made of it, for the one who asked. An answer to another attempt replaces it.
final class CheckedValue<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    func set(_ value: Value) { content.withLock { $0 = value } }

    /// Nil before the first answer.
    var value: Value? { content.withLock { $0 } }
}
