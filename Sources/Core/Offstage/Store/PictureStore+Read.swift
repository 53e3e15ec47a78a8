import Foundation

extension PictureStore {
    /// The picture for a key; nil for a miss. The picture may be out of date: the caller compares the fingerprint and
    /// the dependencies in its `info`.
    public func picture(for key: PictureKey) async -> StoredPicture? {
        await pictures(for: [key])[key]
    }

    /// The pictures for keys, without missing ones. The bytes of all of them are in memory at the same time.
    public func pictures(for keys: [PictureKey]) async -> [PictureKey: StoredPicture] {
        await lookUp(keys) { (reader, key) throws(SQLiteError) in
            switch try reader.picture(key) {
            case .found(let (row, data)):
                guard let info = row.info else { return .absent }
                return .found((row, StoredPicture(data: data, info: info)))
            case .absent: return .absent
            case .damaged: return .damaged
            }
        }
    }

    /// The records for keys, without missing ones. Neither reads nor checks the pictures' bytes: for a caller that has
    /// the files and compares them by `content`.
    public func records(for keys: [PictureKey]) async -> [PictureKey: PictureRecord] {
        await lookUp(keys, Self.record)
    }

    private static func record(
        _ reader: StoreReader, _ key: PictureKey
    ) throws(SQLiteError) -> Found<PictureRecord> {
        switch try reader.record(key) {
        case .found(let row):
            guard let record = PictureRecord(row) else { return .absent }
            return .found((row, record))
        case .absent: return .absent
        case .damaged: return .damaged
        }
    }

    /// The record for a key; nil for a miss. See `records(for:)`.
    public func record(for key: PictureKey) async -> PictureRecord? {
        await records(for: [key])[key]
    }

    /// All parts of a drawing, in order. A whole picture is the only part. Empty if a part is missing.
    public func parts(of identifier: String, variant: String) async -> [PictureRecord] {
        await look(without: []) { (look) throws(SQLiteError) in try look.parts(of: identifier, variant) }
    }

    /// A picture with the same fingerprint, under any identifier. A request under another identifier need not draw it
    /// again if its dependencies are unchanged. Nil if none exists.
    public func record(
        fingerprint: Fingerprint, variant: String, part: Int? = nil
    ) async -> PictureRecord? {
        await look(without: nil) { (look) throws(SQLiteError) in try look.same(fingerprint, variant, part: part) }
    }

    /// Records the use of pictures that the caller found elsewhere: in memory, or as files.
    public func touch(_ keys: [PictureKey]) { note(keys) }

    private typealias Found<T> = Lookup<(row: PictureRow, value: T)>

    /// Looks up keys: many in one transaction, and several transactions concurrently.
    private func lookUp<T: Sendable>(
        _ keys: [PictureKey], _ look: @escaping @Sendable (StoreReader, PictureKey) throws(SQLiteError) -> Found<T>
    ) async -> [PictureKey: T] {
        let step = 256
        if keys.count <= step { return await lookUpSome(keys, look) }
        return await withTaskGroup(of: [PictureKey: T].self) { group in
            for start in stride(from: 0, to: keys.count, by: step) {
                let some = Array(keys[start..<min(start + step, keys.count)])
                group.addTask { await self.lookUpSome(some, look) }
            }
            var all: [PictureKey: T] = [:]
            all.reserveCapacity(keys.count)
            for await some in group { all.merge(some) { one, _ in one } }
            return all
        }
    }

    private func lookUpSome<T: Sendable>(
        _ keys: [PictureKey], _ body: @escaping @Sendable (StoreReader, PictureKey) throws(SQLiteError) -> Found<T>
    ) async -> [PictureKey: T] {
        await look(without: [:]) { (look) throws(SQLiteError) in
            var found: [PictureKey: T] = [:]
            for key in keys { found[key] = look.found(try body(look.reader, key), for: key) }
            return found
        }
    }

    /// Reads in one transaction, on one of the store's threads, and records uses and damage.
    ///
    /// - Parameter without: the result if the store cannot be read.
    func look<R: Sendable>(
        without: R, _ body: @escaping @Sendable (inout StoreLook) throws(SQLiteError) -> R
    ) async -> R {
        let surroundings = place.surroundings
        let recent = surroundings.now().milliseconds - Int(surroundings.useResolution * 1000)
        let (value, damaged) = await read(without: (without, [])) {
            (reader) throws(SQLiteError) -> (R, [PictureKey]) in
            var look = StoreLook(reader, recent: recent)
            let value = try reader.database.transaction(.read) { () throws(SQLiteError) in try body(&look) }
            self.place.count {
                $0.hits += look.hits
                $0.misses += look.misses
            }
            self.note(look.used)
            return (value, look.damaged)
        }
        if !damaged.isEmpty { await removeDamaged(damaged) }
        return value
    }
}
