import Foundation

extension ImageStore {
    /// The picture for a key; nil for a miss. Whether it is still right, its `info` tells: the fingerprint and the
    /// dependencies are for the caller to compare.
    public func picture(for key: PictureKey) async -> StoredPicture? {
        await pictures(for: [key])[key]
    }

    /// The pictures for keys, without those that are not there. Their bytes are in memory all at once.
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

    /// As `pictures(for:)` without the bytes, which are not checked either: for a caller who has the pictures' files, and
    /// compares them by `content`.
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

    /// What is known of one picture; nil for a miss. See `records(for:)`.
    public func record(for key: PictureKey) async -> PictureRecord? {
        await records(for: [key])[key]
    }

    /// All parts of a drawing, in order; a whole picture is the only one. Empty where one is missing.
    public func parts(of identifier: String, variant: String) async -> [PictureRecord] {
        // In one go: each costs two switches between threads.
        let (keys, records) = await lookUpSome(
            { (reader) throws(SQLiteError) -> [PictureKey] in
                var keys: [PictureKey] = []
                try reader.database.each(
                    "SELECT part FROM picture WHERE identifier = ? AND variant = ? ORDER BY part",
                    [.text(identifier), .text(variant)]
                ) { row in
                    let part = row.integer(0)
                    if part >= 0 { keys.append(PictureKey(identifier, variant: variant, part: part == 0 ? nil : part)) }
                }
                return keys
            }, Self.record)
        let parts = keys.compactMap { records[$0] }
        return parts.count == keys.count && parts.allSatisfy { ($0.info.partCount ?? 1) == keys.count } ? parts : []
    }

    /// A picture that was made of the same, under whatever identifier: it need not be drawn for another one, if its
    /// dependencies are the same files. Nil where there is none.
    public func record(
        fingerprint: Fingerprint, variant: String, part: Int? = nil
    ) async -> PictureRecord? {
        let key = await read(without: nil) { (reader) throws(SQLiteError) -> PictureKey? in
            try reader.database.first(
                "SELECT identifier FROM picture WHERE fingerprint = ? AND variant = ? AND part = ? LIMIT 1",
                .digest(fingerprint.digest), .text(variant), .integer(part ?? 0)
            ) { PictureKey($0.text(0), variant: variant, part: part) }
        }
        guard let key, let record = await records(for: [key])[key] else { return nil }
        return record.info.fingerprint == fingerprint ? record : nil
    }

    /// Notes that these were used, where the caller had them from elsewhere: from memory, or as files.
    public func touch(_ keys: [PictureKey]) { note(keys) }

    private typealias Found<T> = Lookup<(row: PictureRow, value: T)>

    /// Looks keys up, many at a time in one go and several goes side by side.
    private func lookUp<T: Sendable>(
        _ keys: [PictureKey], _ look: @escaping @Sendable (StoreReader, PictureKey) throws(SQLiteError) -> Found<T>
    ) async -> [PictureKey: T] {
        let step = 256
        if keys.count <= step { return await lookUpSome({ _ in keys }, look).found }
        return await withTaskGroup(of: [PictureKey: T].self) { group in
            for start in stride(from: 0, to: keys.count, by: step) {
                let some = Array(keys[start..<min(start + step, keys.count)])
                group.addTask { await self.lookUpSome({ _ in some }, look).found }
            }
            var all: [PictureKey: T] = [:]
            all.reserveCapacity(keys.count)
            for await some in group { all.merge(some) { one, _ in one } }
            return all
        }
    }

    /// - Parameter find: which keys.
    private func lookUpSome<T: Sendable>(
        _ find: @escaping @Sendable (StoreReader) throws(SQLiteError) -> [PictureKey],
        _ look: @escaping @Sendable (StoreReader, PictureKey) throws(SQLiteError) -> Found<T>
    ) async -> (keys: [PictureKey], found: [PictureKey: T]) {
        let surroundings = place.surroundings
        let recent = surroundings.now().milliseconds - Int(surroundings.useResolution * 1000)
        let outcome = await read(without: Outcome<T>()) { (reader) throws(SQLiteError) -> Outcome<T> in
            let keys = try find(reader)
            var outcome = Outcome<T>(keys: keys)
            func lookAll() throws(SQLiteError) {
                for key in keys {
                    switch try look(reader, key) {
                    case .found(let found):
                        outcome.found[key] = found.value
                        if found.row.used <= recent { outcome.used.append(key) }
                    case .absent: break
                    case .damaged: outcome.damaged.append(key)
                    }
                }
            }
            if keys.count > 1 {
                try reader.database.transaction(.read) { () throws(SQLiteError) in try lookAll() }
            } else {
                try lookAll()
            }
            return outcome
        }
        place.count {
            $0.hits += outcome.found.count
            $0.misses += outcome.keys.count - outcome.found.count
        }
        note(outcome.used)
        if !outcome.damaged.isEmpty { await removeDamaged(outcome.damaged) }
        return (outcome.keys, outcome.found)
    }
}

/// What became of some keys.
private struct Outcome<T: Sendable>: Sendable {
    var keys: [PictureKey] = []
    var found: [PictureKey: T] = [:]
    var damaged: [PictureKey] = []
    /// Not noted as used within the last minute.
    var used: [PictureKey] = []
}
