import Offstage
import Synchronization

/// The waits of this process for keys. A wait is registered before its query to PostgreSQL, so that no notification is
/// missed.
final class SharedWaits: Sendable {
    /// One wait. It ends when this object is released.
    final class Wait: Sendable {
        private let waits: SharedWaits
        private let key: Digest
        private let number: Int
        private let stream: AsyncStream<Void>

        fileprivate init(_ waits: SharedWaits, _ key: Digest, _ number: Int, _ stream: AsyncStream<Void>) {
            (self.waits, self.key, self.number, self.stream) = (waits, key, number, stream)
        }

        deinit { waits.close(key, number) }

        /// Returns when the key may have ended, or when the task is cancelled. Query again after that.
        func next() async { for await _ in stream { return } }
    }

    private struct State {
        var last = 0
        var waits: [Digest: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    func open(_ key: Digest) -> Wait {
        // Wake-ups before the next query are merged into one.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.waits[key, default: [:]][state.last] = continuation
            return state.last
        }
        return Wait(self, key, number, stream)
    }

    /// True if at most one request of this process waits for the key.
    func isLast(_ key: Digest) -> Bool { state.withLock { ($0.waits[key]?.count ?? 0) <= 1 } }

    private func close(_ key: Digest, _ number: Int) {
        state.withLock { state in
            state.waits[key]?[number] = nil
            if state.waits[key]?.isEmpty == true { state.waits[key] = nil }
        }
    }

    func wake(_ keys: some Sequence<Digest>) {
        let woken = state.withLock { state in keys.flatMap { state.waits[$0].map { Array($0.values) } ?? [] } }
        for one in woken { one.yield() }
    }

    func wakeAll() { wake(state.withLock { Array($0.waits.keys) }) }
}
