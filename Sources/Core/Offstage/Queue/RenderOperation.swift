import Foundation
import Synchronization

/// A slot of the queue: it takes a job when it starts, and ends with the job.
///
/// `@unchecked Sendable`, like its superclass; its own state is a constant and a mutex.
final class RenderOperation: Operation, @unchecked Sendable {
    private enum State { case waiting, running, over }

    private let state = Mutex(State.waiting)
    private let begin: @Sendable () -> (@Sendable () async -> Void)?

    /// - Parameter begin: returns the work, or nil if there is nothing left to do.
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

    /// On Linux, Foundation starts the next operation only after a key-value notification.
    private func move(to next: State) {
        state.withLock { $0 = next }
        didChangeValue(forKey: next == .over ? "isFinished" : "isExecuting")
    }
}
