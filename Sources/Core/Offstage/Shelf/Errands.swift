import Synchronization

/// Background work that must finish before shutdown.
final class Errands: Sendable {
    private struct State {
        var last = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func run(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            // The task cannot remove itself before it has been added, because removing needs the lock.
            state.running[number] = Task.detached {
                await body()
                _ = self.state.withLock { $0.running.removeValue(forKey: number) }
            }
        }
    }

    /// Waits for all work that has begun.
    func finish() async {
        while let task = state.withLock({ $0.running.first?.value }) { await task.value }
    }
}
