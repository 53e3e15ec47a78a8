import Foundation

/// Pinned pictures, which the store never evicts, whatever their age. They leave less room for other pictures.
extension PictureStore {
    /// Stores pictures that stay until they are explicitly removed or replaced: all or none. Other pictures are evicted
    /// to make space. When this returns `done`, they survive a power cut.
    ///
    /// - Parameters:
    ///   - pictures: `expected` and the owner's check apply to the first one.
    ///   - others: removed in the same step.
    ///   - client: the new owner.
    ///   - expected: the picture that the store must have under the key now.
    package func pin(
        _ pictures: [(key: PictureKey, picture: StoredPicture)], removing others: [PictureKey] = [],
        by client: PinningClient, over expected: ExpectedPicture = .any
    ) async -> PinOutcome {
        let largest = place.limits.largest
        if pictures.contains(where: { $0.picture.data.count > largest }) { return drop(pictures, .tooLarge) }
        let (place, files, lastUse) = (place, files, lastUse)
        let outcome = await writer.run(without: PinOutcome?.none) { (database) throws(SQLiteError) in
            let now = place.surroundings.now().milliseconds
            let rows = pictures.map { one in
                var row = PictureRow(one.key, one.picture, content: Digest(of: one.picture.data), now: now)
                (row.isPinned, row.owner) = (true, client.name)
                return row
            }
            // Other pictures are evicted in the order of their last use.
            try lastUse.write(to: database)
            let trimmer = StoreTrimmer(database: database, files: files, place: place)
            func put() throws(SQLiteError) -> PinOutcome {
                try database.durably { () throws(SQLiteError) in
                    try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                        if let hindrance = try editor.database.hindrance(rows[0].key, client, expected) {
                            return hindrance
                        }
                        for (row, one) in zip(rows, pictures) { try editor.put(row, one.picture.data) }
                        for key in others { try editor.remove(key) }
                        return .done
                    }
                }
            }
            if let hindrance = try database.hindrance(rows[0].key, client, expected) { return hindrance }
            if let shortage = try trimmer.makeRoom(for: rows) { return .refused(shortage) }
            do throws(SQLiteError) { return try put() } catch {
                // The disk had less room than it reported, for example because of a quota or because the log takes it.
                guard error.isDiskFull else { throw error }
                try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                try trimmer.removeEvictable()
                return try put()
            }
        }
        place.tellEvictions()
        guard let outcome else { return drop(pictures, refusal) }
        switch outcome {
        case .done:
            (place.isDiskFull, place.isOverFileLimit) = (false, false)
            place.count { $0.stored += pictures.count }
            await trimSoon(after: pictures.reduce(0) { $0 + $1.picture.data.count })
        case .refused(let refusal): return drop(pictures, refusal)
        case .isOther, .isForeign: break
        }
        return outcome
    }

    private func drop(_ pictures: [(key: PictureKey, picture: StoredPicture)], _ refusal: Refusal) -> PinOutcome {
        place.count { $0.dropped += pictures.count }
        for one in pictures { place.tell(.dropped(one.key)) }
        return .refused(refusal)
    }

    /// Removes pictures: all or none. Ignores keys without a picture. When this returns `done`, the removal survives a
    /// power cut.
    ///
    /// - Parameter keys: the expected picture and the owner are checked for the first one.
    package func unpin(
        _ keys: [PictureKey], by client: PinningClient, over expected: ExpectedPicture = .any
    ) async -> PinOutcome {
        let files = files
        let outcome = await writer.run(without: PinOutcome?.none) { (database) throws(SQLiteError) in
            func remove() throws(SQLiteError) -> PinOutcome {
                try database.durably { () throws(SQLiteError) in
                    try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                        if let hindrance = try editor.database.hindrance(keys[0], client, expected) { return hindrance }
                        for key in keys { try editor.remove(key) }
                        return .done
                    }
                }
            }
            do throws(SQLiteError) { return try remove() } catch {
                // A removal needs room in the log, also on a full disk.
                guard error.isDiskFull else { throw error }
                try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return try remove()
            }
        }
        return outcome ?? .refused(refusal)
    }

    /// The owner and the digest of a pinned picture, as `pin` and `unpin` compare them; nil without a picture. Does not
    /// check for damage.
    package func pinned(_ key: PictureKey) async -> (owner: PictureOwner, content: Digest?)? {
        await read(without: nil) { (reader) throws(SQLiteError) in try reader.database.pinned(key) }
    }
}

extension Database {
    fileprivate func pinned(_ key: PictureKey) throws(SQLiteError) -> (owner: PictureOwner, content: Digest?)? {
        try first(
            """
            SELECT p.owner, b.digest FROM picture p LEFT JOIN blob b ON b.id = p.blob
            WHERE p.identifier = ? AND p.variant = ? AND p.part = ?
            """, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0)
        ) { (PictureOwner(name: $0.isNull(0) ? nil : $0.text(0)), $0.digest(1)) }
    }

    /// The reason why a client may not change a picture; nil if it may.
    fileprivate func hindrance(
        _ key: PictureKey, _ client: PinningClient, _ expected: ExpectedPicture
    ) throws(SQLiteError) -> PinOutcome? {
        let present = try pinned(key)
        if !client.mayChange(present?.owner) { return .isForeign }
        return expected.isMet(by: present?.content) ? nil : .isOther
    }
}

extension StoreTrimmer {
    /// The approximate size of a picture's row and of its index entries, bytes.
    private static let row = 1024

    /// Removes other pictures until there is room for the new ones.
    ///
    /// - Returns: nil if there is room.
    func makeRoom(for rows: [PictureRow]) throws(SQLiteError) -> PictureStore.Refusal? {
        while true {
            let budget = try budget()
            // Count again for each slice, which may have removed a drawing with the same bytes.
            let allowed = try min(budget.bytes, 1 << 60) - growth(of: rows)
            if try bytesInUse() <= allowed { return nil }
            let removed = try removeWhile { (_) throws(SQLiteError) in try bytesInUse() > allowed }
            place.evicted(removed.keys, removed.bytes, budget.reason)
            if removed.keys.isEmpty { return .noRoom(budget.reason) }
        }
    }

    /// Removes all other pictures.
    func removeEvictable() throws(SQLiteError) {
        while true {
            let removed = try removeWhile { (_) throws(SQLiteError) in true }
            place.evicted(removed.keys, removed.bytes, .littleSpace(place.reserve))
            if removed.keys.isEmpty { return }
        }
    }

    /// The number of bytes by which the store grows, minus those of the replaced pictures.
    private func growth(of rows: [PictureRow]) throws(SQLiteError) -> Int {
        var growth = 0
        var seen: Set<Digest> = []
        for row in rows where seen.insert(row.content).inserted {
            let isKnown = try database.first("SELECT 1 FROM blob WHERE digest = ?", .digest(row.content)) { _ in true }
            if isKnown == nil { growth += row.length }
        }
        for row in rows {
            let key = row.key
            let replaced = try database.first(
                """
                SELECT b.digest, b.length, (SELECT count(*) FROM (SELECT 1 FROM picture o WHERE o.blob = b.id LIMIT 2))
                FROM picture p JOIN blob b ON b.id = p.blob WHERE p.identifier = ? AND p.variant = ? AND p.part = ?
                """, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0)
            ) { (content: $0.digest(0), length: $0.integer(1), count: $0.integer(2)) }
            guard let replaced else {
                growth += Self.row
                continue
            }
            if replaced.count == 1, replaced.content.map({ !seen.contains($0) }) ?? true { growth -= replaced.length }
        }
        return growth
    }
}
