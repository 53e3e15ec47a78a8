import Dispatch
import Foundation
import Synchronization

/// A connection to the shared database, with a queue for all its work. libpq waits for the network, so it must not run
/// on the threads that tasks share.
///
/// It connects on the first call, and again after a loss. After a failed attempt, calls fail at once for a while, so
/// that callers that don't depend on the database don't wait for it.
///
/// `@unchecked Sendable` because only jobs on `queue`, one at a time, use `session`, `delay` and `notBefore`.
final class SharedConnection: @unchecked Sendable {
    let address: SharedAddress
    private let queue: DispatchQueue
    /// True for a connection that creates the tables.
    private let isForInit: Bool
    private var session: PQSession?
    private var delay = 0.0
    private var notBefore = ContinuousClock.now
    private var last = SharedError.lost("")

    init(_ address: SharedAddress, name: String, isForInit: Bool = false) {
        self.address = address
        self.isForInit = isForInit
        queue = DispatchQueue(label: "offstage.shared.\(name)")
    }

    /// Runs `body` with the connection, after all earlier calls.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (PQSession) throws(SharedError) -> R
    ) async throws(SharedError) -> R {
        let result: Result<R, SharedError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(SharedError) {
                    continuation.resume(returning: .success(try self.perform(body)))
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
        return try result.get()
    }

    /// Closes the connection after all earlier calls. The next call reopens it.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session = nil
                continuation.resume()
            }
        }
    }

    private func perform<R>(_ body: (PQSession) throws(SharedError) -> R) throws(SharedError) -> R {
        // An idle connection may have ended, for example when PostgreSQL restarted. All statements here can be
        // repeated.
        let isOld = session != nil
        var session = try currentSession()
        var attempts = 0
        while true {
            do throws(SharedError) { return try body(session) } catch {
                attempts += 1
                if case .lost = error {
                    self.session = nil
                    guard isOld, attempts == 1 else { throw error }
                    session = try currentSession()
                    continue
                }
                // PostgreSQL ended this transaction to resolve a deadlock. It had no effect.
                guard case .failed("40P01", _) = error, attempts < 5 else { throw error }
            }
        }
    }

    private func currentSession() throws(SharedError) -> PQSession {
        if let session { return session }
        if ContinuousClock.now < notBefore { throw last }
        let start = ContinuousClock.now
        do throws(SharedError) {
            let session = try PQSession(address)
            try session.execute(Self.settings)
            if !isForInit { try SharedSchema.check(session) }
            delay = 0
            self.session = session
            return session
        } catch {
            // An attempt that times out is slow, so it is repeated less often than one that fails at once.
            delay = min(max(0.125, 2 * delay), max(0.5, 4 * (start.duration(to: .now) / .seconds(1))))
            notBefore = .now + .seconds(delay)
            last = error
            throw error
        }
    }

    /// Commits don't wait for PostgreSQL's disk: after a power cut, the last pictures are drawn again. Statements that
    /// need more override this.
    private static let settings = """
        SET search_path = pg_catalog, pg_temp; SET synchronous_commit = off; SET statement_timeout = '10s';
        SET idle_in_transaction_session_timeout = '20s'
        """
}
