import Synchronization

/// What a lease holds.
protocol Suspending: AnyObject, Sendable {
    func isSuspended(byLease number: Int) -> Bool
    func endLease(_ number: Int)
}

/// Keeps a renderer from starting anything new, until it is ended, its time is over, or it is let go.
///
/// Several parts of a host can hold one at once; drawing goes on when the last has ended.
public final class SuspensionLease: Sendable {
    private let queue: any Suspending
    private let number: Int
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter duration: nil for a lease that does not end by itself.
    init(of queue: any Suspending, number: Int, lasting duration: Duration?, by clock: any Clock<Duration>) {
        self.queue = queue
        self.number = number
        guard let duration else { return }
        let wait = Self.wait(duration, by: clock)
        let task = Task { [weak self] in
            do { try await wait() } catch { return }
            self?.end()
        }
        timer.withLock { $0 = task }
    }

    deinit { end() }

    /// False once it has ended, however it did.
    public var isActive: Bool { queue.isSuspended(byLease: number) }

    /// Ends the lease; nothing happens if it has ended already.
    public func end() {
        queue.endLease(number)
        timer.withLock { $0.take() }?.cancel()
    }

    /// The time runs from here, not from when a task gets to wait for it.
    private static func wait<C: Clock<Duration>>(
        _ duration: Duration, by clock: C
    ) -> @Sendable () async throws -> Void {
        let end = clock.now.advanced(by: duration)
        return { try await clock.sleep(until: end, tolerance: nil) }
    }
}
