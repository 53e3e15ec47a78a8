import Foundation

/// One read transaction, and the records that the store must write after it.
struct StoreLook {
    let reader: StoreReader
    /// Uses before this time are noted; milliseconds.
    private let recent: Int
    private(set) var hits = 0
    private(set) var misses = 0
    /// Pictures whose last use is out of date.
    private(set) var used: [PictureKey] = []
    private(set) var damaged: [PictureKey] = []

    init(_ reader: StoreReader, recent: Int) {
        self.reader = reader
        self.recent = recent
    }

    /// Counts a lookup and returns its result; nil for a miss.
    mutating func found<T>(_ lookup: Lookup<(row: PictureRow, value: T)>, for key: PictureKey) -> T? {
        switch lookup {
        case .found(let found):
            hits += 1
            if found.row.used <= recent { used.append(key) }
            return found.value
        case .absent: misses += 1
        case .damaged:
            misses += 1
            damaged.append(key)
        }
        return nil
    }

    /// Lends the bytes of a file that a lookup in this transaction found.
    ///
    /// - Returns: false, without calling `use`, if they are damaged.
    mutating func lend(
        _ file: RenderedFiles.File, _ use: (Data) -> Void
    ) throws(SQLiteError) -> Bool {
        guard let blob = file.blob, try reader.lend(blob, file.content, length: file.byteCount, use) else {
            misses += 1
            return false
        }
        hits += 1
        return true
    }
}

/// The drawings found: whole pictures, or drawings with parts.
extension StoreLook {
    // A picture without a blob is damaged, not missing.
    private static let rows = "SELECT \(PictureRow.columns) FROM picture p LEFT JOIN blob b ON b.id = p.blob"
    private static let own = "\(rows) WHERE p.identifier = ? AND p.variant = ? AND p.part >= 0 ORDER BY p.part"
    private static let same = "\(rows) WHERE p.fingerprint = ? AND p.variant = ? AND p.part = ? LIMIT 1"

    /// All parts of a drawing, in order. A whole picture is the only part. Empty if a part is missing.
    mutating func parts(of identifier: String, _ variant: String) throws(SQLiteError) -> [PictureRecord] {
        var parts: [PictureRecord?] = []
        try reader.database.each(Self.own, [.text(identifier), .text(variant)]) { row in
            let part = row.integer(3)
            parts.append(record(row, PictureKey(identifier, variant: variant, part: part == 0 ? nil : part)))
        }
        let known = parts.compactMap(\.self)
        let isComplete = known.count == parts.count && known.allSatisfy { ($0.info.partCount ?? 1) == parts.count }
        return isComplete ? known : []
    }

    /// A picture with the same fingerprint, under any identifier.
    mutating func same(
        _ fingerprint: Fingerprint, _ variant: String, part: Int?
    ) throws(SQLiteError) -> PictureRecord? {
        var found: PictureRecord?
        try reader.database.each(
            Self.same, [.digest(fingerprint.digest), .text(variant), .integer(part ?? 0)]
        ) { row in
            found = record(row, PictureKey(row.text(1), variant: variant, part: part))
        }
        return found?.info.fingerprint == fingerprint ? found : nil
    }

    /// The stored parts of a drawing with this fingerprint, in order, or its one picture. A whole picture that is stored under another
    /// identifier counts, too, because it saves a drawing. Empty if none is stored.
    mutating func current(
        _ variant: String, of identifier: String, _ fingerprint: Fingerprint
    ) throws(SQLiteError) -> [PictureRecord] {
        let own = try parts(of: identifier, variant)
        if !own.isEmpty, own.allSatisfy({ $0.info.fingerprint == fingerprint }) { return own }
        return try same(fingerprint, variant, part: nil).map { [$0] } ?? []
    }

    private mutating func record(_ row: SQLiteRow, _ key: PictureKey) -> PictureRecord? {
        // The seal includes the key, so an index that leads to another row is detected.
        guard let picture = PictureRow(row), picture.key == key else { return found(.damaged, for: key) }
        return found(PictureRecord(picture).map { .found((picture, $0)) } ?? .absent, for: key)
    }
}
