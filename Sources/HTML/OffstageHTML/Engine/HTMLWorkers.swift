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
        /// Of a worker that is gone.
        var sandboxAbsence: EngineUnavailable?
    }

    /// - Parameter most: the maximum number of workers.
    init(most: Int) { self.most = most }

    /// Takes the worker with the fewest drawings, or starts one. The caller puts it back.
    ///
    /// - Parameter isFresh: true for a worker that has drawn nothing.
    func take(isFresh: Bool, _ configuration: HTMLConfiguration) throws(DrawingError) -> HTMLWorker {
        let (worker, others) = state.withLock { state -> (HTMLWorker?, [HTMLWorker]) in
            if state.hasEnded { return (nil, []) }
            var others = state.takeLost()
            let idle = state.workers.filter { $0.load == 0 }
            let free = state.workers.last { $0.load < configuration.views }
            if isFresh, state.workers.count >= most, let old = idle.first {
                state.workers.removeAll { $0 === old }
                state.losses += old.replaced
                others.append(old)
            }
            if !isFresh, let worker = idle.last ?? free ?? (state.workers.count < most ? nil : state.leastLoaded) {
                worker.take()
                return (worker, others)
            }
            let new = HTMLWorker(configuration)
            new.take()
            state.workers.append(new)
            return (new, others)
        }
        for other in others { other.beginEnd() }
        guard let worker else { throw .finished }
        return worker
    }

    /// Gives a worker without drawings those that still wait in another one.
    ///
    /// - Parameter views: the number of drawings at once of a worker.
    func relieve(_ views: Int) {
        let busy = state.withLock { state in
            state.workers.contains { $0.load == 0 } ? state.workers.first { $0.load > views } : nil
        }
        busy?.withdrawNewest()
    }

    /// The number of processes that were replaced.
    var losses: Int {
        state.withLock { state in
            _ = state.takeLost()
            return state.losses + state.workers.reduce(0) { $0 + $1.replaced }
        }
    }

    /// The reason that a worker gave for drawing without a sandbox.
    var sandboxAbsence: EngineUnavailable? {
        state.withLock { $0.sandboxAbsence ?? $0.workers.lazy.compactMap(\.sandboxAbsence).first }
    }

    /// Begins to end all workers. No drawings may follow.
    func beginEnd() { for worker in close() { worker.beginEnd() } }

    /// Ends all workers, and waits until their processes are gone. No drawings may follow.
    func ended() async {
        let workers = close()
        for worker in workers { worker.beginEnd() }
        for worker in workers { await worker.ended() }
    }

    private func close() -> [HTMLWorker] {
        state.withLock { state in
            state.hasEnded = true
            defer { state.workers = [] }
            return state.workers
        }
    }
}

extension HTMLWorkers.State {
    fileprivate var leastLoaded: HTMLWorker? { workers.min { $0.load < $1.load } }

    /// Removes the workers that were lost, and counts them.
    fileprivate mutating func takeLost() -> [HTMLWorker] {
        let lost = workers.filter { !$0.isUsable }
        for worker in lost { losses += 1 + worker.replaced }
        sandboxAbsence = sandboxAbsence ?? lost.lazy.compactMap(\.sandboxAbsence).first
        workers.removeAll { !$0.isUsable }
        return lost
    }
}
