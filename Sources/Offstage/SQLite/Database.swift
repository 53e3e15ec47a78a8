import CSQLite
import Foundation

/// A connection to an SQLite database, with its prepared statements.
///
/// Not for several threads at once: its owner sees to it.
final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// - Parameters:
    ///   - creates: makes the file where there is none.
    ///   - patience: seconds to wait for another connection's lock.
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
        // The log is never removed by its name, which may be another database's by then: see `StorePlace.putAside`.
        var keepsLog: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs statements that have no parameters, separated by semicolons.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
    }

    /// Runs a statement for its effect.
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        try each(sql, values) { _ in }
    }

    /// Calls `row` with each row of a result. It may run other statements.
    func each(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteRow) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try statement(sql).run(values) { (one) throws(SQLiteError) in
            try row(one)
            return true
        }
    }

    /// What `row` makes of the first row; nil where there is none.
    func first<R>(_ sql: String, _ values: SQLiteValue..., row: (SQLiteRow) -> R) throws(SQLiteError) -> R? {
        var result: R?
        try statement(sql).run(values) { (one) throws(SQLiteError) in
            result = row(one)
            return false
        }
        return result
    }

    /// The first column of the first row, a number; 0 where there is none.
    func number(_ sql: String) throws(SQLiteError) -> Int { try first(sql) { $0.integer(0) } ?? 0 }

    private func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, in: handle)
        statements[sql] = statement
        return statement
    }

    enum TransactionKind: String {
        /// Sees one state of the database.
        case read = "BEGIN"
        /// Takes the lock for writing at once, so that it need not be given up in the middle.
        case write = "BEGIN IMMEDIATE"
    }

    /// All of it or nothing.
    func transaction<R>(_ kind: TransactionKind, _ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
        try run(kind.rawValue)
        do throws(SQLiteError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some errors have rolled back by themselves.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }
}
