import Synchronization

extension StoreReader {
    /// The number of checked pictures, and the row number of the last one.
    struct Slice: Sendable {
        var last: Int
        var checked = 0
        var damaged: [PictureKey] = []
    }

    /// Checks the next few pictures; nil if there are no more.
    func check(after last: Int) throws(SQLiteError) -> Slice? {
        var slice = Slice(last: last)
        var keys: [PictureKey] = []
        try database.each(
            "SELECT id, identifier, variant, part FROM picture WHERE id > ? ORDER BY id LIMIT 64", [.integer(last)]
        ) { row in
            slice.last = row.integer(0)
            let part = row.integer(3)
            keys.append(PictureKey(row.text(1), variant: row.text(2), part: part > 0 ? part : nil))
        }
        if keys.isEmpty { return nil }
        for key in keys {
            if case .damaged = try picture(key) { slice.damaged.append(key) }
        }
        slice.checked = keys.count
        return slice
    }
}

/// Collects texts from another thread.
final class Messages: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }

    /// - Parameter text: ignored if it is `ok`, which means no error in SQLite.
    func add(_ text: String) {
        if text != "ok" { texts.withLock { $0.append(text) } }
    }
}
