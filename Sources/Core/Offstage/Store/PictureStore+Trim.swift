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
    /// Removes the least recently used pictures that are not pinned until the store is within its limits, and returns the space to the
    /// disk. This happens automatically in the background after writes; call it only to wait for it.
    public func trim() async {
        while await trimSlice(down: true) {}
        place.tellEvictions()
        await sweep()
    }

    /// Removes the files that killed processes left behind.
    func sweep() async {
        let (files, now) = (files, place.surroundings.now())
        await writer.run(without: (), isUpkeep: true) { (database) throws(SQLiteError) in
            let settled = files.settled(now: now)
            if settled.isEmpty { return }
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in try editor.sweep(settled) }
        }
    }

    /// Checks the limits after the first picture, and then after some megabytes or hundreds of pictures. This happens
    /// in the background; if a busy machine leaves no time for that, the writer does it, so that the disk does not fill
    /// up.
    func trimSoon(after bytes: Int) async {
        // A small disk must not fill up between two checks.
        let reserve = place.reserve
        let share = max(min(place.limits.bytes / 100, 4 << 20, reserve > 0 ? reserve / 4 : .max), 1)
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
        if isLate {
            while await trimSlice(down: true) {}
            place.tellEvictions()
        }
        if isDue {
            Task.detached(priority: .background) { [weak self] in
                var isFirst = true
                while await self?.trimSlice(down: !isFirst) ?? false { isFirst = false }
                self?.place.tellEvictions()
                if isFirstLook { await self?.sweep() }
                self?.trimming.withLock { $0.isUnderWay = false }
            }
        }
    }

    /// Trims a slice that is short enough not to delay writers.
    ///
    /// - Parameter down: true to trim to 95 % of the limit even if it is not reached, so that not every later picture
    ///   needs another slice.
    /// - Returns: true if there is more to do.
    private func trimSlice(down: Bool) async -> Bool {
        let (place, files, lastUse) = (place, files, lastUse)
        return await writer.run(without: false, isUpkeep: true) { (database) throws(SQLiteError) in
            // The order must include the latest uses.
            try lastUse.write(to: database)
            // Report on this thread, so that two trims report their slices in order.
            return try StoreTrimmer(database: database, files: files, place: place).slice(down: down)
        }
    }
}
