import Foundation

/// The result of copying pictures from one store to another.
public struct StoreCopy: Sendable, Hashable {
    /// Pictures that are now in the other store.
    public var copied = 0
    /// Pictures that the other store already has in the same or a newer version; for pinned pictures, any pinned
    /// version.
    public var known = 0
    /// The number of readable pictures for which the caller's test is true.
    public var matching = 0
    /// Damaged pictures, pictures that are too large for the other store's limit, and pinned pictures for which it has
    /// no room.
    public var left = 0

    public init() {}
}

extension PictureStore {
    /// Copies all pictures to another store, with the times of their last use, and leaves newer pictures under the same
    /// keys unchanged there. Every picture is checked on the way. Pinned pictures stay pinned, and do not replace other
    /// pinned pictures.
    ///
    /// - Parameters:
    ///   - other: the store to copy to.
    ///   - matches: the caller's test of a fingerprint; see `StoreCopy.matching`. Default true. Called on any thread.
    /// - Returns: nil if one of the stores cannot be used.
    public func copyPictures(
        to other: PictureStore, matches: @Sendable (Fingerprint) -> Bool = { _ in true }
    ) async -> StoreCopy? {
        var copy = StoreCopy()
        var last = 0
        while true {
            let after = last
            let slice = await read(without: nil) { (reader) throws(SQLiteError) in try reader.slice(after: after) }
            guard let slice else { return isAvailable ? copy : nil }
            if slice.last == last { break }
            last = slice.last
            let largest = other.limits.largest
            let chosen = slice.pictures.filter { $0.data.count <= largest }
            copy.matching += chosen.count { one in one.row.info.map { matches($0.fingerprint) } ?? false }
            copy.left += slice.count - chosen.count
            guard let (known, left) = await other.take(chosen) else { return nil }
            copy.known += known
            copy.left += left
            copy.copied += chosen.count - known - left
        }
        await other.trim()
        // Makes the database complete without its log, for anyone who copies only the file.
        await other.writer.run(without: ()) { (database) throws(SQLiteError) in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return copy
    }

    /// Stores pictures of another store.
    ///
    /// - Returns: the number that existed already, and the number without space; nil if the store cannot be used.
    private func take(_ pictures: [(row: PictureRow, data: Data)]) async -> (known: Int, left: Int)? {
        let (files, place) = (files, place)
        return await writer.run(without: nil) { (database) throws(SQLiteError) in
            // These pictures are not evicted later, so they need room now.
            let trimmer = StoreTrimmer(database: database, files: files, place: place)
            var taken: [PictureRow] = []
            for (row, _) in pictures where row.isPinned {
                if try trimmer.makeRoom(for: taken + [row]) == nil { taken.append(row) }
            }
            let keys = Set(taken.map(\.key))
            return try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                var (known, left) = (0, 0)
                for (row, data) in pictures {
                    if try editor.stored(row.key).map({ row.isPinned || $0 >= row.stored }) ?? false {
                        known += 1
                        continue
                    }
                    if row.isPinned, !keys.contains(row.key) {
                        left += 1
                        continue
                    }
                    try editor.put(row, data)
                    try editor.removeParts(of: row.key, ofOtherDrawingsThan: row.fingerprint)
                }
                return (known, left)
            }
        }
    }
}

extension StoreReader {
    /// The next pictures by number, with their bytes: at most 64, and only as many as take about 16 MiB.
    fileprivate func slice(
        after last: Int
    ) throws(SQLiteError) -> (pictures: [(row: PictureRow, data: Data)], count: Int, last: Int) {
        var keys: [(id: Int, key: PictureKey)] = []
        var bytes = 0
        try database.each(
            """
            SELECT p.id, p.identifier, p.variant, p.part, b.length FROM picture p LEFT JOIN blob b ON b.id = p.blob
            WHERE p.id > ? ORDER BY p.id LIMIT 64
            """, [.integer(last)]
        ) { row in
            bytes += row.integer(4)
            if !keys.isEmpty, bytes > 16 << 20 { return }
            let part = row.integer(3)
            keys.append((row.integer(0), PictureKey(row.text(1), variant: row.text(2), part: part > 0 ? part : nil)))
        }
        var pictures: [(row: PictureRow, data: Data)] = []
        for (_, key) in keys {
            if case .found(let found) = try picture(key) { pictures.append(found) }
        }
        return (pictures, keys.count, keys.last?.id ?? last)
    }
}

extension StoreEditor {
    /// The time at which a picture was stored, milliseconds since 1970; nil if it is not in the store.
    fileprivate func stored(_ key: PictureKey) throws(SQLiteError) -> Int? {
        try database.first(
            "SELECT stored FROM picture WHERE identifier = ? AND variant = ? AND part = ?", .text(key.identifier),
            .text(key.variant), .integer(key.part ?? 0)
        ) { $0.integer(0) }
    }

    /// Removes the parts of older drawings: parts of two drawings never mix.
    fileprivate func removeParts(
        of key: PictureKey, ofOtherDrawingsThan fingerprint: Digest
    ) throws(SQLiteError) {
        var old: [(id: Int, blob: Int)] = []
        try database.each(
            "SELECT id, blob FROM picture WHERE identifier = ? AND variant = ? AND fingerprint != ?",
            [.text(key.identifier), .text(key.variant), .digest(fingerprint)]
        ) { row in old.append((row.integer(0), row.integer(1))) }
        for one in old { try remove(picture: one.id, blob: one.blob) }
    }
}
