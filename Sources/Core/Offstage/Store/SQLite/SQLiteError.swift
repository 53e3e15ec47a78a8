import CSQLite
import Foundation

/// An error from SQLite.
struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An extended result code.
    var code: Int32
    /// The underlying `errno`, or 0.
    var systemCode: Int32
    /// SQLite's message. It may name tables and columns, but contains no values.
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

    /// The code for a damaged file, or for one that is not a database.
    static let damage = SQLITE_CORRUPT

    private var primary: Int32 { code & 0xFF }

    /// True if the file is damaged or not a database.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    /// True if another connection kept a lock for too long, or the program is about to end.
    var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED || systemCode == ECANCELED }
    /// True if there is no room: on the disk, in a quota, or below the process's limit of file sizes.
    var isFull: Bool { isDiskFull || isOverFileLimit }
    /// True if there is no room on the disk or in a quota.
    var isDiskFull: Bool { primary == SQLITE_FULL || primary == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemCode) }
    private var isOverFileLimit: Bool { primary == SQLITE_IOERR && systemCode == EFBIG }

    var description: String {
        let known = systemCode == 0 || message.contains(String(cString: strerror(systemCode)))
        return known ? message : "\(message) (\(String(cString: strerror(systemCode))))"
    }
}
