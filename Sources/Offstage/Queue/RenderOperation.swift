import Foundation
import Synchronization

/// An operation that is over when its asynchronous work is.
///
/// `@unchecked Sendable` as its superclass is; its own state is a constant and a mutex.
final class RenderOperation: Operation, @unchecked Sendable {
    private enum State { case waiting, running, over }

    private let state = Mutex(State.waiting)
    private let work: @Sendable () async -> Void

    init(_ work: @escaping @Sendable () async -> Void) {
        self.work = work
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0 == .running } }
    override var isFinished: Bool { state.withLock { $0 == .over } }

    override func start() {
        // Read here, so that cancelling an operation that was dequeued but has not started prevents it from running.
        if isCancelled { return move(to: .over) }
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
