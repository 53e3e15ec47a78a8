import Foundation

/// Foundation's `OperationQueue`, with asynchronous work and one answer for everyone who waits.
public final class RenderQueue: Sendable {
    private let operations: OperationQueue

    /// - Parameter width: how much work may be under way at once.
    public init(width: Int) {
        operations = OperationQueue()
        operations.maxConcurrentOperationCount = width
    }

    /// While true nothing new starts; what runs is finished.
    public var isSuspended: Bool {
        get { operations.isSuspended }
        set { operations.isSuspended = newValue }
    }

    /// Runs `work` when its turn comes.
    ///
    /// - Returns: its result, or nil when the calling task was cancelled first. Work that had started then still runs to
    ///   its end and keeps its place, and its result is dropped.
    public func run<Result: Sendable>(
        priority: Operation.QueuePriority = .normal, _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let answer = Answer<Result>()
        let operation = RenderOperation { answer.give(await work()) }
        operation.queuePriority = priority
        return await withTaskCancellationHandler {
            await answer.wait { operations.addOperation(operation) }
        } onCancel: {
            operation.cancel()
            answer.give(nil)
        }
    }
}
