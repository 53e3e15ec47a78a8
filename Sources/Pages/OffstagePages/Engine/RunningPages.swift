import Offstage
import OffstageWorkers
import Synchronization

/// The drawings in progress, one of which can be ended to free a worker for a page that is needed now.
final class RunningPages: Sendable {
    private struct State {
        var number = 0
        var tasks: [Int: (place: DocumentPage.Place, cancel: @Sendable () -> Void)] = [:]
        /// The needed page, if a worker seemed to be free for it. Another drawing that has already left the queue may
        /// take that worker.
        var needed: (place: DocumentPage.Place, capacity: Int, isWaiting: @Sendable () -> Bool)?

        /// Returns true if the drawing that was added last has taken the worker of the needed page.
        mutating func takesNeededWorker(_ place: DocumentPage.Place) -> Bool {
            guard let needed else { return false }
            if needed.place == place || !needed.isWaiting() { self.needed = nil }
            guard self.needed != nil, tasks.count >= needed.capacity else { return false }
            self.needed = nil
            return true
        }
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
        let (number, isInTheWay) = state.withLock { state in
            state.number += 1
            state.tasks[state.number] = (place, cancel)
            return (state.number, state.takesNeededWorker(place))
        }
        if isInTheWay { cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.tasks[number] = nil }
        return try result.get()
    }

    /// Ends the drawing of another page if all workers are drawing, or as soon as they are.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of concurrent drawings.
    ///   - isWaiting: true until the page has its picture. Called on any thread, with a lock held.
    func makeRoom(
        for place: DocumentPage.Place, capacity: Int, while isWaiting: @escaping @Sendable () -> Bool
    ) {
        let cancel: [@Sendable () -> Void] = state.withLock { state in
            guard state.tasks.count >= capacity else {
                let isDrawing = state.tasks.values.contains { $0.place == place }
                state.needed = isDrawing ? nil : (place, capacity, isWaiting)
                return []
            }
            state.needed = nil
            // The most recent drawing has made the least progress.
            let others = state.tasks.filter { $0.value.place != place }.max { $0.key < $1.key }
            return others.map { [$0.value.cancel] } ?? []
        }
        for one in cancel { one() }
    }
}
