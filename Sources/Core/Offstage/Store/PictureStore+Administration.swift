import Foundation

extension PictureStore {
    /// The size of the store. Takes time in proportion to it.
    public func statistics() async -> StoreStatistics {
        let place = place
        var statistics = await read(without: StoreStatistics()) { (reader) throws(SQLiteError) in
            let database = reader.database
            var one = StoreStatistics()
            one.pictures = try database.number("SELECT count(*) FROM picture")
            one.contents = try database.number("SELECT count(*) FROM blob")
            one.contentBytes = try database.number("SELECT total(length) FROM blob")
            one.pinned = try database.number("SELECT count(*) FROM picture WHERE pinned = 1")
            one.pinnedBytes = try database.number(
                """
                SELECT total(length) FROM blob WHERE id IN (SELECT blob FROM picture WHERE pinned = 1)
                """)
            let oldest = try database.first("SELECT min(used) FROM picture WHERE pinned = 0") {
                $0.isNull(0) ? nil : $0.integer(0)
            }
            let latest = try database.first("SELECT max(used) FROM picture WHERE pinned = 0") {
                $0.isNull(0) ? nil : $0.integer(0)
            }
            one.oldestUse = oldest?.map { Date(milliseconds: $0) }
            one.latestUse = latest?.map { Date(milliseconds: $0) }
            one.diskBytes =
                try place.databaseBytes + database.number("SELECT total(length) FROM blob WHERE bytes IS NULL")
            return one
        }
        statistics.counters = counters
        return statistics
    }

    /// The stored pictures, by identifier.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the identifiers; default any.
    ///   - limit: the maximum number of records; default all.
    public func entries(prefix: String = "", limit: Int = .max) async -> [PictureRecord] {
        await read(without: []) { (reader) throws(SQLiteError) -> [PictureRecord] in
            var records: [PictureRecord] = []
            try reader.database.each(
                """
                SELECT \(PictureRow.columns) FROM picture p JOIN blob b ON b.id = p.blob
                WHERE p.identifier >= ? AND (? IS NULL OR p.identifier < ?)
                ORDER BY p.identifier, p.variant, p.part LIMIT ?
                """,
                [.text(prefix), Self.end(of: prefix), Self.end(of: prefix), .integer(limit)]
            ) { row in
                if let record = PictureRow(row).flatMap({ PictureRecord($0) }) { records.append(record) }
            }
            return records
        }
    }

    /// The stored pictures with a text anywhere in their `extra`, by identifier. Takes time in proportion to the number
    /// of pictures.
    public func entries(noting text: String) async -> [PictureRecord] {
        await read(without: []) { (reader) throws(SQLiteError) -> [PictureRecord] in
            var records: [PictureRecord] = []
            try reader.database.each(
                """
                SELECT \(PictureRow.columns) FROM picture p JOIN blob b ON b.id = p.blob WHERE instr(p.extra, ?) > 0
                ORDER BY p.identifier, p.variant, p.part
                """, [.text(text)]
            ) { row in
                if let record = PictureRow(row).flatMap({ PictureRecord($0) }) { records.append(record) }
            }
            return records
        }
    }

    /// The first text, in byte order, after all texts with a prefix.
    private static func end(of prefix: String) -> SQLiteValue {
        guard var bytes = Optional(Array(prefix.utf8)), let last = bytes.last else { return .null }
        // UTF-8 never contains the byte 0xFF, so a higher byte exists.
        bytes[bytes.count - 1] = last + 1
        return .utf8(bytes)
    }

    /// Explains why a request would be answered from the store or drawn.
    ///
    /// - Parameters:
    ///   - key: the key of the stored picture.
    ///   - fingerprint: the request's current fingerprint.
    ///   - digest: returns the current digest of a file that the drawing used; nil if it is missing.
    public func explain(
        _ key: PictureKey, against fingerprint: Fingerprint, file digest: (_ path: String) -> Digest?
    ) async -> CacheExplanation {
        let record = await records(for: [key])[key]
        guard let record else { return isAvailable ? .absent : .unavailable }
        let staleness = record.info.staleness(against: fingerprint, file: digest)
        return staleness.isEmpty ? .hit(record) : .stale(record, staleness)
    }

    /// Removes everything, for all processes that use the folder, including a damaged database that was put aside.
    ///
    /// - Throws: `FileError` if a file cannot be removed.
    public func removeAll() async throws(FileError) {
        let (place, files, lastUse) = (place, files, lastUse)
        let error = await writer.runAlone { () -> FileError? in
            lastUse.clear()
            files.removeAll()
            do throws(FileError) { try place.removeDatabase() } catch { return error }
            return nil
        }
        if let error { throw error }
    }

    /// Checks everything: the structure of the database, and every picture. Removes damaged pictures.
    public func verify() async -> StoreVerification {
        var report = StoreVerification()
        report.databaseErrors = await checkDatabase()
        if !report.databaseErrors.isEmpty { return report }
        var last = 0
        while true {
            let after = last
            let slice = await read(without: nil) { (reader) throws(SQLiteError) in try reader.check(after: after) }
            guard let slice else { break }
            report.checked += slice.checked
            report.damaged += slice.damaged
            last = slice.last
            if !slice.damaged.isEmpty { await removeDamaged(slice.damaged) }
        }
        let files = files
        report.unused = await writer.run(without: 0) { (database) throws(SQLiteError) in
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in try editor.removeAllUnused() }
        }
        await sweep()
        return report
    }

    /// SQLite's messages; empty if the database is intact.
    private func checkDatabase() async -> [String] {
        let messages = Messages()
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            try database.each("PRAGMA integrity_check(10)") { messages.add($0.text(0)) }
            // Put it aside, as after any call that fails because of damage.
            if let first = messages.all.first { throw SQLiteError(code: SQLiteError.damage, message: first) }
        }
        return messages.all
    }
}
