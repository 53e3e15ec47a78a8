import Foundation

extension PictureStore {
    /// Stores a picture, and replaces the one with the same key.
    ///
    /// - Returns: false if it was not stored. An event also reports this.
    @discardableResult
    public func store(_ picture: StoredPicture, for key: PictureKey) async -> Bool {
        await store([(key, picture)])
    }

    /// Stores pictures that belong together, such as all files of a drawing: all of them or none. The parts of a
    /// drawing replace all earlier parts with the same identifier and variant, so pass them together.
    ///
    /// - Returns: false if they were not stored. An event for each also reports this.
    @discardableResult
    public func store(_ pictures: [(key: PictureKey, picture: StoredPicture)]) async -> Bool {
        let (place, files) = (place, files)
        let isCached = await writer.run(without: false) { (database) throws(SQLiteError) in
            guard pictures.allSatisfy({ $0.picture.data.count <= place.limits.largest }) else { return false }
            let now = place.surroundings.now().milliseconds
            // Do this before the transaction, so that other connections do not wait for it.
            let rows = pictures.map { PictureRow($0.key, $0.picture, content: Digest(of: $0.picture.data), now: now) }
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                for (row, one) in zip(rows, pictures) { try editor.put(row, one.picture.data) }
                for (key, parts) in Self.parts(of: pictures.map(\.key)) { try editor.removeParts(of: key, but: parts) }
            }
            return true
        }
        if isCached {
            (place.isDiskFull, place.isOverFileLimit) = (false, false)
            place.count { $0.stored += pictures.count }
            await trimSoon(after: pictures.reduce(0) { $0 + $1.picture.data.count })
        } else {
            place.count { $0.dropped += pictures.count }
            for one in pictures { place.tell(.dropped(one.key)) }
            // No later picture would fit either, so free the resource that has run out.
            if place.isDiskFull { await trimSoon(after: 4 << 20) }
        }
        return isCached
    }

    /// The reason why a picture was not stored.
    package enum Refusal: Sendable {
        /// It exceeds a tenth of the limit.
        case tooLarge
        /// The disk is full.
        case full
        /// Pinned pictures take all the space that the store may use.
        case noRoom(StoreEvictions.Reason)
        /// The store cannot be used.
        case unusable
        /// Another process held the lock for too long.
        case busy
    }

    /// The reason for the last failure of the writer.
    var refusal: Refusal {
        if place.isDiskFull { return .full }
        return place.isGone || place.isOverFileLimit ? .unusable : .busy
    }

    /// The part numbers, 0 for a whole picture, by identifier and variant.
    private static func parts(of keys: [PictureKey]) -> [PictureKey: Set<Int>] {
        var parts: [PictureKey: Set<Int>] = [:]
        for key in keys {
            parts[PictureKey(key.identifier, variant: key.variant), default: []].insert(key.part ?? 0)
        }
        return parts
    }

    /// Removes pictures, pinned ones too.
    public func remove(_ keys: [PictureKey]) async {
        let files = files
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                for key in keys { try editor.remove(key) }
            }
        }
    }

    /// Removes pictures of one drawing. Those of other drawings under the same keys stay, and so do pinned ones,
    /// because clients stored them with PUT.
    package func remove(_ keys: [PictureKey], of drawing: Fingerprint) async {
        let files = files
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) in
                for key in keys { try editor.remove(key, of: drawing.digest) }
            }
        }
    }

    func removeDamaged(_ keys: [PictureKey]) async {
        let files = files
        let removed = await writer.run(without: []) { (database) throws(SQLiteError) in
            try StoreEditor.edit(database, files) { (editor) throws(SQLiteError) -> [PictureKey] in
                var removed: [PictureKey] = []
                for key in keys where try editor.removeDamaged(key) { removed.append(key) }
                return removed
            }
        }
        place.count { $0.damaged += removed.count }
        for key in removed { place.tell(.damaged(key)) }
    }

    /// Records that pictures were used just now. The store writes many such records at once, shortly after.
    func note(_ keys: [PictureKey]) {
        let due = lastUse.note(keys, at: place.surroundings.now().milliseconds)
        if due == .no { return }
        let lastUse = lastUse
        writer.startUpkeep(after: due == .now ? 0 : place.surroundings.useDelay) { (database) throws(SQLiteError) in
            try lastUse.write(to: database)
        }
    }
}
