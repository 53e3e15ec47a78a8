import Foundation

/// What a row turned out to be.
enum Lookup<Found> {
    case found(Found)
    case absent
    /// There, but not as it was stored.
    case damaged
}

/// Reads pictures, and believes nothing that it cannot check.
struct StoreReader {
    let database: Database
    let files: LargeFiles

    private static let byKey = """
        FROM picture p JOIN blob b ON b.id = p.blob WHERE p.identifier = ? AND p.variant = ? AND p.part = ?
        """
    private static let record = "SELECT \(PictureRow.columns) \(byKey)"
    private static let picture = "SELECT \(PictureRow.columns), b.bytes \(byKey)"

    func record(_ key: PictureKey) throws(SQLiteError) -> Lookup<PictureRow> {
        let found = try database.first(Self.record, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0))
        {
            row -> Lookup<PictureRow> in
            // The seal has the key, too: an index that leads astray is found out.
            guard let picture = PictureRow(row), picture.key == key else { return .damaged }
            return .found(picture)
        }
        if let found { return found }
        return try withoutBytes(key)
    }

    func picture(_ key: PictureKey) throws(SQLiteError) -> Lookup<(row: PictureRow, data: Data)> {
        typealias Found = Lookup<(row: PictureRow, data: Data)>
        let found = try database.first(Self.picture, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0))
        {
            row -> Found in
            guard let picture = PictureRow(row), picture.key == key else { return .damaged }
            guard let data = bytes(of: picture, row, PictureRow.columnCount) else { return .damaged }
            return .found((picture, data))
        }
        if let found { return found }
        return try withoutBytes(key)
    }

    /// A row that leads to no blob is damaged.
    private func withoutBytes<Found>(_ key: PictureKey) throws(SQLiteError) -> Lookup<Found> {
        let id = try database.first(
            "SELECT id FROM picture WHERE identifier = ? AND variant = ? AND part = ?", .text(key.identifier),
            .text(key.variant), .integer(key.part ?? 0)
        ) { $0.integer(0) }
        return id == nil ? .absent : .damaged
    }

    /// The bytes if they are what was stored.
    private func bytes(of picture: PictureRow, _ row: SQLiteRow, _ column: Int32) -> Data? {
        let data = row.isNull(column) ? files.read(picture.content, length: picture.length) : row.data(column)
        guard let data, data.count == picture.length, Digest(of: data) == picture.content else { return nil }
        return data
    }
}
