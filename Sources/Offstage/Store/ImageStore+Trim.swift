import Foundation

/// When the limits are to be looked at again.
struct Trimming {
    /// Bytes and pictures stored since the last look.
    var bytes = 0
    var pictures = 0
    var hasLooked = false
    var isUnderWay = false
}

extension ImageStore {
    /// Removes what is over the limits now, the least recently used first, and gives the room back to the disk. It happens
    /// by itself after writing, in the background; this is for those who want to wait for it.
    public func trim() async {
        while await trimSlice(down: true) {}
        await sweep()
    }

    /// Removes files that a process left behind that was killed.
    func sweep() async {
        let (files, now) = (files, place.surroundings.now())
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            let settled = files.settled(now: now)
            if settled.isEmpty { return }
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in try editor.sweep(settled) }
        }
    }

    /// Looks at the limits after the first picture, and then after some megabytes or hundreds of them.
    func trimSoon(after bytes: Int) {
        let share = max(min(place.limits.bytes / 100, 4 << 20), 1)
        let (isDue, isFirstLook) = trimming.withLock { state in
            state.bytes += bytes
            state.pictures += 1
            let isFirstLook = !state.hasLooked
            if state.isUnderWay || !isFirstLook && state.bytes < share && state.pictures < 256 { return (false, false) }
            state = Trimming(hasLooked: true, isUnderWay: true)
            return (true, isFirstLook)
        }
        if isDue {
            Task.detached(priority: .background) { [weak self] in
                var isFirst = true
                while await self?.trimSlice(down: !isFirst) ?? false { isFirst = false }
                if isFirstLook { await self?.sweep() }
                self?.trimming.withLock { $0.isUnderWay = false }
            }
        }
    }

    /// One slice, short enough for those who wait to write.
    ///
    /// - Parameter down: to 95 % of the limit even if it is not reached, so that not every picture needs a slice.
    /// - Returns: true where there is more to do.
    private func trimSlice(down: Bool) async -> Bool {
        let (place, files, lastUse) = (place, files, lastUse)
        return await writer.run(without: false) { (database) throws(SQLiteError) in
            // The order should be the latest.
            try lastUse.write(to: database)
            let (removed, isMore) = try StoreTrimmer(database: database, files: files, place: place).slice(down: down)
            place.count { $0.evicted += removed.count }
            // On this thread, so that slices of two trims are told in their order.
            for key in removed { place.tell(.evicted(key)) }
            return isMore
        }
    }
}

/// Keeps a database within its limits, a slice at a time.
struct StoreTrimmer {
    let database: Database
    let files: LargeFiles
    let place: StorePlace

    /// Pictures, or pages times four, in a slice.
    private static let step = 64

    func slice(down: Bool) throws(SQLiteError) -> (removed: [PictureKey], isMore: Bool) {
        let pageSize = try database.number("PRAGMA page_size")
        let (removed, isMore) = try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
            try removeSome(editor, pageSize, down: down)
        }
        if isMore { return (removed, true) }
        // A few free pages are for the next pictures; where the disk is short of room, none are.
        let pages = try database.number("PRAGMA page_count")
        let isShort = (place.surroundings.freeBytes(place.folder) ?? .max) < place.limits.freeBytes
        guard try database.number("PRAGMA freelist_count") > (isShort ? 0 : pages / 32 + 16) else {
            // The file itself gets smaller only when the log has been moved into it.
            if isShort { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            return (removed, false)
        }
        try database.execute("PRAGMA incremental_vacuum(\(4 * Self.step))")
        return (removed, try database.number("PRAGMA page_count") < pages)
    }

    /// Bytes that pictures take on the disk, without free pages.
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
        // What the disk has to spare, with what the store takes of it now: pages that are free are given back later.
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
