import CSQLite
import Foundation

/// A connection to an SQLite database, with its prepared statements.
///
/// Not thread-safe: its owner guards it.
final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// - Parameters:
    ///   - creates: creates the file if it does not exist.
    ///   - patience: the maximum time to wait for another connection's lock, seconds.
    init(path: String, creates: Bool, patience: Double) throws(SQLiteError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | (creates ? SQLITE_OPEN_CREATE : 0), nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, of: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, Int32(patience * 1000))
        // SQLite must not remove the log by name, because the name may already belong to another database. See
        // `StorePlace.putAside`.
        var keepsLog: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters, separated by semicolons.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
    }

    /// Runs a statement for its effect.
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        try each(sql, values) { _ in }
    }

    /// Calls `row` with each row of a result. `row` may run other statements.
    func each(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteRow) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try statement(sql).run(values) { (one) throws(SQLiteError) in
            try row(one)
            return true
        }
    }

    /// Returns the result of `row` for the first row; nil if there are no rows.
    func first<R>(_ sql: String, _ values: SQLiteValue..., row: (SQLiteRow) throws(SQLiteError) -> R)
        throws(SQLiteError) -> R?
    {
        var result: R?
        try statement(sql).run(values) { (one) throws(SQLiteError) in
            result = try row(one)
            return false
        }
        return result
    }

    /// The first column of the first row, a number; 0 if there are no rows.
    func number(_ sql: String) throws(SQLiteError) -> Int { try first(sql) { $0.integer(0) } ?? 0 }

    private func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, in: handle)
        statements[sql] = statement
        return statement
    }

    /// Runs a body whose commits wait for the disk, so that they survive a power cut, and with them all earlier ones.
    func durably<R>(_ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        return try body()
    }

    enum TransactionKind: String {
        /// The transaction sees one state of the database.
        case read = "BEGIN"
        /// The transaction takes the write lock at once, so it cannot fail to get it later.
        case write = "BEGIN IMMEDIATE"
    }

    /// Runs a body in a transaction, and rolls it back after an error.
    func transaction<R>(_ kind: TransactionKind, _ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
        try run(kind.rawValue)
        do throws(SQLiteError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // After some errors, SQLite has already rolled back.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }
}
