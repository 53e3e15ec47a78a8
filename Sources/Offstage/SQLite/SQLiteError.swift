import CSQLite
import Foundation

/// What SQLite answered instead of doing what it was asked.
struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An extended result code.
    var code: Int32
    /// The `errno` behind it, 0 where there is none.
    var systemCode: Int32
    /// SQLite's own words: they may name tables and columns, never a value.
    var message: String

    init(code: Int32, systemCode: Int32 = 0, message: String? = nil) {
        self.code = code
        self.systemCode = systemCode
        self.message = message ?? String(cString: sqlite3_errstr(code))
    }

    init(_ code: Int32, of handle: OpaquePointer?) {
        self.init(
            code: code, systemCode: handle.map { sqlite3_system_errno($0) } ?? 0,
            message: handle.map { String(cString: sqlite3_errmsg($0)) })
    }

    /// The code of a file that is no database, or not whole.
    static let damage = SQLITE_CORRUPT

    private var primary: Int32 { code & 0xFF }

    /// The file is no database, or not whole.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    /// Another connection holds a lock for longer than was waited; or the program is about to end.
    var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED || systemCode == ECANCELED }
    /// There is no room: the disk, a quota, the process's limit of a file's size.
    var isFull: Bool { isDiskFull || isOverFileLimit }
    /// There is no room on the disk, or in a quota.
    var isDiskFull: Bool { primary == SQLITE_FULL || primary == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemCode) }
    private var isOverFileLimit: Bool { primary == SQLITE_IOERR && systemCode == EFBIG }

    var description: String {
        let known = systemCode == 0 || message.contains(String(cString: strerror(systemCode)))
        return known ? message : "\(message) (\(String(cString: strerror(systemCode))))"
    }
}
