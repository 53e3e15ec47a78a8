import Foundation

extension ImageStore {
    /// How much there is. It counts, so it takes time in proportion.
    public func statistics() async -> StoreStatistics {
        let place = place
        var statistics = await read(without: StoreStatistics()) { (reader) throws(SQLiteError) in
            let database = reader.database
            var one = StoreStatistics()
            one.pictures = try database.number("SELECT count(*) FROM picture")
            one.contents = try database.number("SELECT count(*) FROM blob")
            one.contentBytes = try database.number("SELECT total(length) FROM blob")
            let oldest = try database.first("SELECT min(used) FROM picture") { $0.isNull(0) ? nil : $0.integer(0) }
            let latest = try database.first("SELECT max(used) FROM picture") { $0.isNull(0) ? nil : $0.integer(0) }
            one.oldestUse = oldest?.map { Date(milliseconds: $0) }
            one.latestUse = latest?.map { Date(milliseconds: $0) }
            one.diskBytes =
                try place.databaseBytes + database.number("SELECT total(length) FROM blob WHERE bytes IS NULL")
            return one
        }
        statistics.counters = counters
        return statistics
    }

    /// What is kept, by identifier.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the identifiers; default any.
    ///   - limit: at most so many; default all.
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

    /// What is kept with a text somewhere in its `extra`, by identifier. It looks at everything, so it takes time in proportion.
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

    /// The first text, in the order of bytes, that does not begin with a prefix and comes after those that do.
    private static func end(of prefix: String) -> SQLiteValue {
        guard var bytes = Optional(Array(prefix.utf8)), let last = bytes.last else { return .null }
        // UTF-8 has no byte 0xFF, so that there is always a next one.
        bytes[bytes.count - 1] = last + 1
        return .utf8(bytes)
    }

    /// Why a request would be answered from here or drawn.
    ///
    /// - Parameters:
    ///   - key: what the picture is kept under.
    ///   - fingerprint: of the request as it is now.
    ///   - digest: of the file with a path that the drawing used, as it is now; nil where it is missing.
    public func explain(
        _ key: PictureKey, against fingerprint: Fingerprint, file digest: (_ path: String) -> Digest?
    ) async -> CacheExplanation {
        let record = await records(for: [key])[key]
        guard let record else { return isAvailable ? .absent : .unavailable }
        let staleness = record.info.staleness(against: fingerprint, file: digest)
        return staleness.isEmpty ? .hit(record) : .stale(record, staleness)
    }

    /// Takes everything away, for all processes that use the folder; a database that was put aside, too.
    ///
    /// - Throws: a file that cannot be removed.
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

    /// Looks at everything: the database's own order, and every picture. What is damaged is removed.
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

    /// SQLite's own words; empty for a database that is whole.
    private func checkDatabase() async -> [String] {
        let messages = Messages()
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            try database.each("PRAGMA integrity_check(10)") { messages.add($0.text(0)) }
            // As if a call had come upon it: it is put aside.
            if let first = messages.all.first { throw SQLiteError(code: SQLiteError.damage, message: first) }
        }
        return messages.all
    }
}
