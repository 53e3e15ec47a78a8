import Offstage
import Synchronization

/// The workers of an engine. They start when they are needed.
final class HTMLWorkers: Sendable {
    private let most: Int
    private let state = Mutex(State())

    fileprivate struct State: Sendable {
        var workers: [HTMLWorker] = []
        /// The number of workers that were lost, and of processes that ended workers had replaced.
        var losses = 0
        var hasEnded = false
    }

    /// - Parameter most: the maximum number of workers.
    init(most: Int) { self.most = most }

    /// Returns the worker with the fewest drawings, or starts one.
    ///
    /// - Parameter isFresh: true for a worker that has drawn nothing.
    func take(isFresh: Bool, _ configuration: HTMLConfiguration) throws(DrawingError) -> HTMLWorker {
        let (worker, others) = state.withLock { state -> (HTMLWorker?, [HTMLWorker]) in
            if state.hasEnded { return (nil, []) }
            var others = state.takeLost()
            let idle = state.workers.filter { $0.load == 0 }
            if isFresh, state.workers.count >= most, let old = idle.first {
                state.workers.removeAll { $0 === old }
                state.losses += old.replaced
                others.append(old)
            }
            if !isFresh, let worker = idle.last ?? (state.workers.count < most ? nil : state.leastLoaded) {
                return (worker, others)
            }
            let new = HTMLWorker(configuration)
            state.workers.append(new)
            return (new, others)
        }
        for other in others { other.end() }
        guard let worker else { throw .finished }
        return worker
    }

    /// The number of processes that were replaced.
    var losses: Int {
        state.withLock { state in
            _ = state.takeLost()
            return state.losses + state.workers.reduce(0) { $0 + $1.replaced }
        }
    }

    func end() {
        let workers = state.withLock { state in
            state.hasEnded = true
            defer { state.workers = [] }
            return state.workers
        }
        for worker in workers { worker.end() }
    }
}

extension HTMLWorkers.State {
    fileprivate var leastLoaded: HTMLWorker? { workers.min { $0.load < $1.load } }

    /// Removes the workers that were lost, and counts them.
    fileprivate mutating func takeLost() -> [HTMLWorker] {
        let lost = workers.filter { !$0.isUsable }
        for worker in lost { losses += 1 + worker.replaced }
        workers.removeAll { !$0.isUsable }
        return lost
    }
}
