import Dispatch
import Foundation

/// A connection to a store's database, with a queue for all its work: SQLite calls block, so they must not run on the
/// threads that tasks share.
///
/// `@unchecked Sendable` because only the serial `queue`'s jobs use `session`.
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

    /// Runs a body with the database, after all earlier calls.
    ///
    /// - Parameters:
    ///   - without: the result if there is no database or it failed. The failure has then been handled.
    ///   - isUpkeep: true to create no database, so that a removed folder is not created again.
    func run<R: Sendable>(
        without: R, isUpkeep: Bool = false, _ body: @escaping @Sendable (Database) throws(SQLiteError) -> R
    ) async -> R {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.perform(without: without, isUpkeep, body)) }
        }
    }

    /// Runs a body while the database is closed.
    func runAlone<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session = nil
                continuation.resume(returning: body())
            }
        }
    }

    /// Runs a body for upkeep like `run`, without waiting for it.
    func startUpkeep(after delay: Double = 0, _ body: @escaping @Sendable (Database) throws(SQLiteError) -> Void) {
        let job = { @Sendable in self.perform(without: (), true, body) }
        if delay > 0 { queue.asyncAfter(deadline: .now() + delay, execute: job) } else { queue.async(execute: job) }
    }

    private func perform<R>(
        without: R, _ isUpkeep: Bool, _ body: (Database) throws(SQLiteError) -> R
    ) -> R {
        if isUpkeep, place.databaseFile() == nil { return without }
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
        // Another process or the user may have removed the file.
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
