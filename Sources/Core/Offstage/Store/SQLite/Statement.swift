import CSQLite
import Foundation

/// A value for a statement's parameter.
enum SQLiteValue {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    /// The bytes of a text, for comparisons.
    case utf8([UInt8])
    case bytes(Data)
    case digest(Digest)

    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}

/// A row of a result, valid until the statement moves on. A column of another type reads as 0 or empty.
struct SQLiteRow {
    fileprivate let handle: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func data(_ column: Int32) -> Data { Data(bytes(column)) }

    /// SQLite's own bytes, without a copy. They are valid as long as the row.
    func lentData(_ column: Int32) -> Data {
        let bytes = bytes(column)
        guard let start = bytes.baseAddress else { return Data() }
        return Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
    }

    func digest(_ column: Int32) -> Digest? { Digest(bytes(column)) }

    func text(_ column: Int32) -> String {
        // Use the byte count, because a text may contain a NUL.
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // SQLite requires this order: the pointer before the count.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// A prepared statement, which can run any number of times, once at a time.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    /// Makes SQLite copy the value.
    private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code, of: database) }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs to the end, or until `row` returns false.
    ///
    /// - Parameter row: returns true to continue.
    func run(_ values: [SQLiteValue], _ row: (SQLiteRow) throws(SQLiteError) -> Bool) throws(SQLiteError) {
        // This also ends the read transaction.
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (i, value) in values.enumerated() {
            let code = bind(value, Int32(i + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code, of: database) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: if try !row(SQLiteRow(handle: handle)) { return }
            case SQLITE_DONE: return
            case let code: throw SQLiteError(code, of: database)
            }
        }
    }

    private func bind(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) -> Int32 {
        text.withMemoryRebound(to: CChar.self) { text in
            // A null pointer would mean NULL instead of an empty text.
            guard let base = text.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, copied) }
            return sqlite3_bind_text(handle, index, base, Int32(text.count), copied)
        }
    }

    private func bind(_ value: SQLiteValue, _ index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, Int64(number))
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text): return text.withUTF8 { bind($0, index) }
        case .utf8(let bytes): return bytes.withUnsafeBufferPointer { bind($0, index) }
        case .bytes(let data):
            return data.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, index, 0) }
                return sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), copied)
            }
        case .digest(let digest):
            return digest.withBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) }
        }
    }
}
