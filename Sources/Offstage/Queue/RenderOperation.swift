import Foundation
import Synchronization

/// A place in the queue: it takes what is to be done when it starts, and is over when that is.
///
/// `@unchecked Sendable` as its superclass is; its own state is a constant and a mutex.
final class RenderOperation: Operation, @unchecked Sendable {
    private enum State { case waiting, running, over }

    private let state = Mutex(State.waiting)
    private let begin: @Sendable () -> (@Sendable () async -> Void)?

    /// - Parameter begin: gives the work, or nil when there is nothing to do any more.
    init(_ begin: @escaping @Sendable () -> (@Sendable () async -> Void)?) {
        self.begin = begin
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0 == .running } }
    override var isFinished: Bool { state.withLock { $0 == .over } }

    override func start() {
        guard let work = begin() else { return move(to: .over) }
        move(to: .running)
        Task {
            await work()
            move(to: .over)
        }
    }

    /// Foundation on Linux lets the next operation start only when it is told of the change by key.
    private func move(to next: State) {
        state.withLock { $0 = next }
        didChangeValue(forKey: next == .over ? "isFinished" : "isExecuting")
    }
}
