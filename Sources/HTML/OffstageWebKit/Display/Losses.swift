import Offstage

/// Observers of the loss of the private display.
@MainActor
final class Losses {
    private var listeners: [ObjectIdentifier: (EngineUnavailable) -> Void] = [:]

    nonisolated init() {}

    /// - Parameter listener: Called at each loss until it is removed. It must not keep its owner alive.
    func add(_ owner: AnyObject, _ listener: @escaping (EngineUnavailable) -> Void) {
        listeners[ObjectIdentifier(owner)] = listener
    }

    func remove(_ owner: AnyObject) { listeners[ObjectIdentifier(owner)] = nil }

    func tell(_ loss: EngineUnavailable) {
        for listener in listeners.values { listener(loss) }
    }
}
