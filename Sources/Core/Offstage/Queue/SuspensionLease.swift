import Synchronization

/// Suspends the starts of jobs while leases are active.
protocol Suspending: AnyObject, Sendable {
    func isActive(lease number: Int) -> Bool
    func endLease(_ number: Int)
}

/// Suspends a renderer, or limits its drawings, until the lease is ended, expires or is released.
///
/// Several parts of a host can have leases at the same time. The strictest one applies.
public final class SuspensionLease: Sendable {
    private let queue: any Suspending
    private let number: Int
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter duration: nil for a lease that does not expire.
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

    /// False once the lease has ended for any reason.
    public var isActive: Bool { queue.isActive(lease: number) }

    /// Ends the lease. Has no effect if it has already ended.
    public func end() {
        queue.endLease(number)
        timer.withLock { $0.take() }?.cancel()
    }

    /// The time starts now, not when a task begins to wait.
    private static func wait<C: Clock<Duration>>(
        _ duration: Duration, by clock: C
    ) -> @Sendable () async throws -> Void {
        let end = clock.now.advanced(by: duration)
        return { try await clock.sleep(until: end, tolerance: nil) }
    }
}
