/// Trims a database to its limits, a slice at a time. Pinned pictures stay.
struct StoreTrimmer {
    let database: Database
    let files: LargeFiles
    let place: StorePlace

    /// The number of pictures in a slice, and four times the number of pages.
    private static let step = 64

    /// - Returns: true if there is more to do.
    func slice(down: Bool) throws(SQLiteError) -> Bool {
        if try removeSome(down: down) { return true }
        // A few free pages remain for the next pictures, unless the disk is short of space.
        let pages = try database.number("PRAGMA page_count")
        let isShort = (place.surroundings.freeBytes(place.folder) ?? .max) < place.reserve
        guard try database.number("PRAGMA freelist_count") > (isShort ? 0 : pages / 32 + 16) else {
            // The file shrinks only when the log has been moved into it.
            if isShort { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            return false
        }
        try database.execute("PRAGMA incremental_vacuum(\(4 * Self.step))")
        return try database.number("PRAGMA page_count") < pages
    }

    /// The bytes that the store may occupy now.
    struct Budget {
        var bytes: Int
        /// The reason to trim a store that occupies more.
        var reason: StoreEvictions.Reason
    }

    func budget() throws(SQLiteError) -> Budget {
        let limits = place.limits
        // The free bytes of the disk and the store's own bytes: free pages are returned later.
        let held = try place.databaseBytes + fileBytes()
        let reserve = place.reserve
        let spare = place.surroundings.freeBytes(place.folder).map { held + min($0, 1 << 60) - reserve } ?? .max
        return spare < limits.bytes
            ? Budget(bytes: max(0, spare), reason: .littleSpace(reserve))
            : Budget(bytes: limits.bytes, reason: .limit(limits.bytes))
    }

    /// The bytes of pictures on the disk, without free pages.
    func bytesInUse() throws(SQLiteError) -> Int {
        let pages = try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return try pages * database.number("PRAGMA page_size") + fileBytes()
    }

    private func fileBytes() throws(SQLiteError) -> Int {
        try database.number("SELECT total(length) FROM blob WHERE bytes IS NULL")
    }

    /// - Returns: true if there may be more to remove.
    private func removeSome(down: Bool) throws(SQLiteError) -> Bool {
        let budget = try budget()
        let target = budget.bytes - budget.bytes / 20
        let oldest = place.limits.age.map { place.surroundings.now().milliseconds - Int($0 * 1000) } ?? .min
        if let first = try leastRecentUse(), first < oldest {
            let old = try removeWhile { (one) throws(SQLiteError) in one.used < oldest }
            place.evicted(old.keys, old.bytes, nil)
            if old.isFull { return true }
        }
        guard try bytesInUse() > (down ? target : budget.bytes) else { return false }
        let removed = try removeWhile { (_) throws(SQLiteError) in try bytesInUse() > target }
        place.evicted(removed.keys, removed.bytes, budget.reason)
        return removed.isFull
    }

    /// The time of the earliest last use, milliseconds; nil if the store has nothing to remove.
    private func leastRecentUse() throws(SQLiteError) -> Int? {
        try database.first("SELECT used FROM picture WHERE pinned = 0 ORDER BY used LIMIT 1") { $0.integer(0) }
    }

    typealias Candidate = (id: Int, blob: Int, key: PictureKey, used: Int)

    /// Removes the least recently used pictures while a condition is true, at most one slice.
    ///
    /// - Returns: the removed pictures, and true if the slice was full.
    func removeWhile(
        _ condition: (Candidate) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) -> (keys: [PictureKey], bytes: Int, isFull: Bool) {
        try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
            var candidates: [Candidate] = []
            try database.each(
                """
                SELECT id, blob, identifier, variant, part, used FROM picture WHERE pinned = 0 ORDER BY used, id
                LIMIT \(Self.step)
                """
            ) { row in
                let part = row.integer(4)
                let key = PictureKey(row.text(2), variant: row.text(3), part: part > 0 ? part : nil)
                candidates.append((row.integer(0), row.integer(1), key, row.integer(5)))
            }
            var (keys, bytes) = ([PictureKey](), 0)
            for one in candidates {
                guard try condition(one) else { break }
                bytes += try editor.remove(picture: one.id, blob: one.blob)
                keys.append(one.key)
            }
            return (keys, bytes, !keys.isEmpty && keys.count == candidates.count)
        }
    }
}
