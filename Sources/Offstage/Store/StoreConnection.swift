import Dispatch
import Foundation

/// One connection to a store's database, and the queue that all its work is done on: SQLite blocks, so it has no place on
/// the threads that tasks share.
///
/// `@unchecked Sendable` because `session` is touched only by jobs on `queue`, one after the other.
final class StoreConnection: @unchecked Sendable {
    private struct Session {
        var database: Database
        var file: FileNumber
    }

    let place: StorePlace
    private let queue: DispatchQueue
    private var session: Session?

    init(_ place: StorePlace, name: String) {
        self.place = place
        queue = DispatchQueue(label: "offstage.store.\(name)")
    }

    /// Does something with the database, after what was asked before.
    ///
    /// - Parameters:
    ///   - without: the answer where there is no database, or it failed; the failure has been dealt with then.
    func run<R: Sendable>(
        without: R, _ body: @escaping @Sendable (Database) throws(SQLiteError) -> R
    ) async -> R {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.perform(without: without, body)) }
        }
    }

    /// Does something without the database, which is closed for it.
    func runAlone<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session = nil
                continuation.resume(returning: body())
            }
        }
    }

    /// As `run`, without waiting for it.
    func start(after delay: Double = 0, _ body: @escaping @Sendable (Database) throws(SQLiteError) -> Void) {
        let job = { @Sendable in self.perform(without: (), body) }
        if delay > 0 { queue.asyncAfter(deadline: .now() + delay, execute: job) } else { queue.async(execute: job) }
    }

    private func perform<R>(without: R, _ body: (Database) throws(SQLiteError) -> R) -> R {
        guard let session = currentSession() else { return without }
        do throws(SQLiteError) {
            return try body(session.database)
        } catch {
            deal(with: error, session)
            return without
        }
    }

    private func currentSession() -> Session? {
        if place.isGone {
            session = nil
            return nil
        }
        // Another process, or the user, may have taken the file away.
        if let session, place.databaseFile() == session.file { return session }
        session = nil
        guard let database = place.open(), let file = place.databaseFile() else { return nil }
        session = Session(database: database, file: file)
        return session
    }

    private func deal(with error: SQLiteError, _ session: Session) {
        place.isDiskFull = error.isDiskFull
        if error.isBusy { return }
        place.isOverFileLimit = error.isFull && !error.isDiskFull
        if error.isFull {
            return place.warn(.full, "\(error)")
        }
        self.session = nil
        if error.isDamage { place.putAside(session.file, error) } else { place.warn(.unavailable, "\(error)") }
    }
}
