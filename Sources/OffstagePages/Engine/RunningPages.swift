import Offstage
import OffstageWorkers
import Synchronization

/// The drawings in progress, one of which can be ended to free a worker for a page that is needed now.
final class RunningPages: Sendable {
    private struct State {
        var number = 0
        var tasks: [Int: (place: DocumentPage.Place, cancel: @Sendable () -> Void)] = [:]
    }

    private let state = Mutex(State())

    /// Runs a job. It ends with `.cancelled` if its worker is needed, or if the caller's task is cancelled.
    ///
    /// - Parameter work: the job. Its task's cancellation ends the worker.
    func run<Value: Sendable>(
        _ place: DocumentPage.Place, _ work: @escaping @Sendable () async throws(DrawingError) -> Value
    ) async throws(DrawingError) -> Value {
        let task = Task { () async -> Result<Value, DrawingError> in
            do throws(DrawingError) { return .success(try await work()) } catch { return .failure(error) }
        }
        let cancel: @Sendable () -> Void = { task.cancel() }
        let number = state.withLock { state in
            state.number += 1
            state.tasks[state.number] = (place, cancel)
            return state.number
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.tasks[number] = nil }
        return try result.get()
    }

    /// Ends the drawing of another page if all workers are drawing.
    ///
    /// - Parameter capacity: the maximum number of concurrent drawings.
    func makeRoom(for place: DocumentPage.Place, capacity: Int) {
        let cancel: [@Sendable () -> Void] = state.withLock { state in
            guard state.tasks.count >= capacity else { return [] }
            // The most recent drawing has made the least progress.
            let others = state.tasks.filter { $0.value.place != place }.max { $0.key < $1.key }
            return others.map { [$0.value.cancel] } ?? []
        }
        for one in cancel { one() }
    }
}
