import Foundation

/// The changes since the limits were last checked.
struct Trimming {
    /// Bytes and pictures stored since the last check.
    var bytes = 0
    var pictures = 0
    var hasLooked = false
    var isUnderWay = false
}

extension PictureStore {
    /// Removes the least recently used pictures until the store is within its limits, and returns the space to the
    /// disk. This happens automatically in the background after writes; call it only to wait for it.
    public func trim() async {
        while await trimSlice(down: true) {}
        await sweep()
    }

    /// Removes the files of killed processes.
    func sweep() async {
        let (files, now) = (files, place.surroundings.now())
        await writer.run(without: (), isUpkeep: true) { (database) throws(SQLiteError) in
            let settled = files.settled(now: now)
            if settled.isEmpty { return }
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in try editor.sweep(settled) }
        }
    }

    /// Checks the limits after the first picture, and then after some megabytes or hundreds of pictures. This happens in the background;
    /// if a busy machine leaves no time for it, the writer does it, because the disk would become full.
    func trimSoon(after bytes: Int) async {
        let share = max(min(place.limits.bytes / 100, 4 << 20), 1)
        let (isDue, isFirstLook, isLate) = trimming.withLock { state in
            state.bytes += bytes
            state.pictures += 1
            let isFirstLook = !state.hasLooked
            if state.isUnderWay {
                let isLate = state.bytes >= 2 * share || state.pictures >= 512
                if isLate { (state.bytes, state.pictures) = (0, 0) }
                return (false, false, isLate)
            }
            if !isFirstLook && state.bytes < share && state.pictures < 256 { return (false, false, false) }
            state = Trimming(hasLooked: true, isUnderWay: true)
            return (true, isFirstLook, false)
        }
        if isLate { while await trimSlice(down: true) {} }
        if isDue {
            Task.detached(priority: .background) { [weak self] in
                var isFirst = true
                while await self?.trimSlice(down: !isFirst) ?? false { isFirst = false }
                if isFirstLook { await self?.sweep() }
                self?.trimming.withLock { $0.isUnderWay = false }
            }
        }
    }

    /// Trims a slice that is short enough not to delay writers.
    ///
    /// - Parameter down: true to trim to 95 % of the limit even if it is not reached, so that not every picture needs a
    ///   slice.
    /// - Returns: true if there is more to do.
    private func trimSlice(down: Bool) async -> Bool {
        let (place, files, lastUse) = (place, files, lastUse)
        return await writer.run(without: false, isUpkeep: true) { (database) throws(SQLiteError) in
            // The order must include the latest uses.
            try lastUse.write(to: database)
            let (removed, isMore) = try StoreTrimmer(database: database, files: files, place: place).slice(down: down)
            place.count { $0.evicted += removed.count }
            // On this thread, so that two trims report their slices in order.
            for key in removed { place.tell(.evicted(key)) }
            return isMore
        }
    }
}

/// Trims a database to its limits, a slice at a time.
struct StoreTrimmer {
    let database: Database
    let files: LargeFiles
    let place: StorePlace

    /// The number of pictures in a slice, and four times the number of pages.
    private static let step = 64

    func slice(down: Bool) throws(SQLiteError) -> (removed: [PictureKey], isMore: Bool) {
        let pageSize = try database.number("PRAGMA page_size")
        let (removed, isMore) = try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
            try removeSome(editor, pageSize, down: down)
        }
        if isMore { return (removed, true) }
        // A few free pages remain for the next pictures, unless the disk is short of space.
        let pages = try database.number("PRAGMA page_count")
        let isShort = (place.surroundings.freeBytes(place.folder) ?? .max) < place.limits.freeBytes
        guard try database.number("PRAGMA freelist_count") > (isShort ? 0 : pages / 32 + 16) else {
            // The file shrinks only when the log has been moved into it.
            if isShort { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            return (removed, false)
        }
        try database.execute("PRAGMA incremental_vacuum(\(4 * Self.step))")
        return (removed, try database.number("PRAGMA page_count") < pages)
    }

    /// The bytes of pictures on the disk, without free pages.
    private func bytesInUse(_ pageSize: Int) throws(SQLiteError) -> Int {
        let pages = try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return try pages * pageSize + fileBytes()
    }

    private func fileBytes() throws(SQLiteError) -> Int {
        try database.number("SELECT total(length) FROM blob WHERE bytes IS NULL")
    }

    private func removeSome(_ editor: StoreEditor, _ pageSize: Int, down: Bool) throws(SQLiteError) -> (
        [PictureKey], Bool
    ) {
        let limits = place.limits
        let used = try bytesInUse(pageSize)
        // The free bytes of the disk and the store's own bytes: free pages are returned later.
        let held = try place.databaseBytes + fileBytes()
        let spare =
            place.surroundings.freeBytes(place.folder).map { held + min($0, 1 << 60) - limits.freeBytes } ?? .max
        let budget = max(0, min(limits.bytes, spare))
        let target = budget - budget / 20
        let isOver = used > (down ? target : budget)
        let oldest = limits.age.map { place.surroundings.now().milliseconds - Int($0 * 1000) } ?? .min
        var candidates: [(id: Int, blob: Int, key: PictureKey, isOld: Bool)] = []
        try database.each(
            "SELECT id, blob, identifier, variant, part, used FROM picture ORDER BY used, id LIMIT \(Self.step)"
        ) { row in
            let part = row.integer(4)
            candidates.append(
                (
                    row.integer(0), row.integer(1),
                    PictureKey(row.text(2), variant: row.text(3), part: part > 0 ? part : nil), row.integer(5) < oldest
                ))
        }
        var removed: [PictureKey] = []
        for one in candidates {
            if !one.isOld {
                guard isOver, try bytesInUse(pageSize) > target else { break }
            }
            try editor.remove(picture: one.id, blob: one.blob)
            removed.append(one.key)
        }
        return (removed, !removed.isEmpty && removed.count == candidates.count)
    }
}
