import Foundation

/// Changes the stored pictures, in one transaction.
final class StoreEditor {
    let database: Database
    private let files: LargeFiles
    /// The contents of blobs that are removed with the transaction.
    private var unusedFiles: [Digest] = []

    private init(_ database: Database, _ files: LargeFiles) {
        self.database = database
        self.files = files
    }

    /// Makes all changes or none.
    static func edit<R>(
        _ database: Database, _ files: LargeFiles, _ body: (StoreEditor) throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        let editor = StoreEditor(database, files)
        let result = try database.transaction(.write) { () throws(SQLiteError) in try body(editor) }
        // Remove the files only now: if the process had ended earlier, the rows would still exist. `sweep` finds
        // remaining files.
        try? editor.removeUnusedFiles()
        return result
    }

    private func removeUnusedFiles() throws(SQLiteError) {
        if unusedFiles.isEmpty { return }
        // Under the lock, so that no other process stores the same bytes again in the meantime.
        try database.transaction(.write) { () throws(SQLiteError) in
            for file in unusedFiles where try !isUsed(file) { files.remove(file) }
        }
    }

    private func isUsed(_ content: Digest) throws(SQLiteError) -> Bool {
        try database.first("SELECT 1 FROM blob WHERE digest = ? AND bytes IS NULL", .digest(content)) { _ in true }
            ?? false
    }

    /// Removes files without a row, which killed processes left behind. Finding them needs no lock.
    ///
    /// - Parameter settled: the files from `LargeFiles.settled`.
    func sweep(_ settled: [(path: String, content: Digest?)]) throws(SQLiteError) {
        for file in settled {
            if let content = file.content, try isUsed(content) { continue }
            unlink(file.path)
        }
    }

    /// Stores a picture, and replaces the old one.
    func put(_ row: PictureRow, _ data: Data) throws(SQLiteError) {
        let old = try place(of: row.key)?.blob
        let blob = try blob(row.content, data)
        if row.isPinned, data.count >= LargeFiles.threshold {
            do throws(FileError) { try files.sync(row.content) } catch { throw SQLiteError(error) }
        }
        try database.run(
            """
            INSERT INTO picture (identifier, variant, part, part_count, fingerprint, parts, dependencies, format, width, height,
                scale, opaque, warnings, extra, content, blob, seal, stored, used, pinned, owner)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (identifier, variant, part) DO UPDATE SET
                part_count = excluded.part_count, fingerprint = excluded.fingerprint, parts = excluded.parts,
                dependencies = excluded.dependencies, format = excluded.format, width = excluded.width,
                height = excluded.height, scale = excluded.scale, opaque = excluded.opaque, warnings = excluded.warnings,
                extra = excluded.extra, content = excluded.content, blob = excluded.blob, seal = excluded.seal,
                stored = excluded.stored, used = excluded.used, pinned = max(pinned, excluded.pinned),
                owner = excluded.owner
            """,
            .text(row.key.identifier), .text(row.key.variant), .integer(row.key.part ?? 0), .integer(row.partCount),
            .digest(row.fingerprint), .bytes(row.parts), .bytes(row.dependencies), .text(row.format),
            .integer(row.width), .integer(row.height), .real(row.scale), .integer(row.isOpaque ? 1 : 0),
            .optional(row.warnings), .optional(row.extra), .optional(row.areas), .integer(blob), .digest(row.seal),
            .integer(row.stored), .integer(row.used), .integer(row.isPinned ? 1 : 0), .optional(row.owner))
        if let old, old != blob { try removeUnused(blob: old) }
    }

    /// The row with these bytes; a new one if none exists.
    private func blob(_ content: Digest, _ data: Data) throws(SQLiteError) -> Int {
        let known = try database.first("SELECT id FROM blob WHERE digest = ?", .digest(content)) { $0.integer(0) }
        let isLarge = data.count >= LargeFiles.threshold
        if let known, !isLarge || files.has(content, length: data.count) { return known }
        if isLarge {
            // Write the file before its row, in the same transaction: a process that removes the file of an old row
            // waits for this one.
            do throws(FileError) { try files.write(data, content) } catch { throw SQLiteError(error) }
        }
        if let known { return known }
        let id = try database.first(
            "INSERT INTO blob (digest, length, bytes) VALUES (?, ?, ?) RETURNING id", .digest(content),
            .integer(data.count), isLarge ? .null : .bytes(data)
        ) { $0.integer(0) }
        return id ?? 0
    }

    /// Removes a picture that is not pinned.
    ///
    /// - Returns: the bytes that no other picture has.
    @discardableResult
    func remove(picture id: Int, blob: Int) throws(SQLiteError) -> Int {
        try database.run("DELETE FROM picture WHERE id = ?", .integer(id))
        return try removeUnused(blob: blob)
    }

    /// Removes an explicitly named picture, even if it is pinned.
    func remove(_ key: PictureKey) throws(SQLiteError) {
        guard let found = try place(of: key) else { return }
        try database.run("UPDATE picture SET pinned = 0 WHERE id = ?", .integer(found.id))
        try remove(picture: found.id, blob: found.blob)
    }

    /// Removes a picture of a drawing, unless it is pinned.
    func remove(_ key: PictureKey, of drawing: Digest) throws(SQLiteError) {
        let found = try database.first(
            """
            SELECT id, blob FROM picture WHERE identifier = ? AND variant = ? AND part = ? AND fingerprint = ? AND pinned = 0
            """, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0), .digest(drawing)
        ) { (id: $0.integer(0), blob: $0.integer(1)) }
        if let found { try remove(picture: found.id, blob: found.blob) }
    }

    private func place(of key: PictureKey) throws(SQLiteError) -> (id: Int, blob: Int)? {
        try database.first(
            "SELECT id, blob FROM picture WHERE identifier = ? AND variant = ? AND part = ?", .text(key.identifier),
            .text(key.variant), .integer(key.part ?? 0)
        ) { (id: $0.integer(0), blob: $0.integer(1)) }
    }

    /// Removes bytes that no longer belong to any picture. It searches for pictures instead of counting references.
    ///
    /// - Returns: their number.
    @discardableResult
    func removeUnused(blob: Int) throws(SQLiteError) -> Int {
        let removed = try database.first(
            """
            DELETE FROM blob WHERE id = ? AND NOT EXISTS (SELECT 1 FROM picture WHERE picture.blob = ?)
            RETURNING CASE WHEN bytes IS NULL THEN digest END, length
            """, .integer(blob), .integer(blob)
        ) { (file: $0.digest(0), length: $0.integer(1)) }
        if let file = removed?.file { unusedFiles.append(file) }
        return removed?.length ?? 0
    }

    /// Removes all bytes that belong to no picture.
    ///
    /// - Returns: the number of removed contents.
    func removeAllUnused() throws(SQLiteError) -> Int {
        var blobs: [Int] = []
        try database.each(
            "SELECT id FROM blob WHERE NOT EXISTS (SELECT 1 FROM picture WHERE picture.blob = blob.id)"
        ) { blobs.append($0.integer(0)) }
        for blob in blobs { try removeUnused(blob: blob) }
        return blobs.count
    }

    /// Removes the parts of a drawing that a newer drawing does not have.
    func removeParts(of key: PictureKey, but kept: Set<Int>) throws(SQLiteError) {
        var old: [(id: Int, blob: Int)] = []
        try database.each(
            "SELECT id, blob, part FROM picture WHERE identifier = ? AND variant = ?",
            [.text(key.identifier), .text(key.variant)]
        ) { row in
            if !kept.contains(row.integer(2)) { old.append((row.integer(0), row.integer(1))) }
        }
        for one in old { try remove(picture: one.id, blob: one.blob) }
    }

    /// Removes a picture that was found damaged, and all others with the same bytes, unless another process has stored
    /// it again in the meantime.
    ///
    /// - Returns: true if it was still damaged.
    func removeDamaged(_ key: PictureKey) throws(SQLiteError) -> Bool {
        guard case .damaged = try StoreReader(database: database, files: files).picture(key) else { return false }
        guard let found = try place(of: key) else { return false }
        for change in ["UPDATE picture SET pinned = 0", "DELETE FROM picture"] {
            try database.run(change + " WHERE id = ? OR blob = ?", .integer(found.id), .integer(found.blob))
        }
        try removeUnused(blob: found.blob)
        return true
    }
}

extension SQLiteError {
    /// A file beside the database that could not be written.
    init(_ error: FileError) {
        self.init(code: 10, systemCode: error.code, message: "\(error)")
    }

    /// A file beside the database that cannot be read now. It counts like another connection's lock: the call finds
    /// nothing, and the store remains usable.
    init(unreadable error: FileError) {
        self.init(code: 5, systemCode: error.code, message: "\(error)")
    }
}
