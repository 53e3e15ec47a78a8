import Foundation

/// The result of a lookup.
enum Lookup<Found> {
    case found(Found)
    case absent
    /// Present, but different from what was stored.
    case damaged
}

/// Reads pictures, and checks everything that it reads.
struct StoreReader {
    let database: Database
    let files: LargeFiles

    private static let byKey = """
        FROM picture p JOIN blob b ON b.id = p.blob WHERE p.identifier = ? AND p.variant = ? AND p.part = ?
        """
    private static let record = "SELECT \(PictureRow.columns) \(byKey)"
    private static let byNumber = """
        SELECT \(PictureRow.columns), b.bytes FROM picture p JOIN blob b ON b.id = p.blob WHERE p.id = ?
        """
    private static let picture = "SELECT \(PictureRow.columns), b.bytes \(byKey)"

    func record(_ key: PictureKey) throws(SQLiteError) -> Lookup<PictureRow> {
        let found = try database.first(Self.record, .text(key.identifier), .text(key.variant), .integer(key.part ?? 0))
        {
            row -> Lookup<PictureRow> in
            // The seal includes the key, so a wrong index is detected.
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
            (row) throws(SQLiteError) -> Found in
            guard let picture = PictureRow(row), picture.key == key else { return .damaged }
            guard let data = try bytes(of: picture, row, PictureRow.columnCount) else { return .damaged }
            return .found((picture, data))
        }
        if let found { return found }
        return try withoutBytes(key)
    }

    /// The picture in a row; nil if the row has none, or if it is damaged.
    func picture(id: Int) throws(SQLiteError) -> (row: PictureRow, data: Data)? {
        let found = try database.first(Self.byNumber, .integer(id)) {
            (row) throws(SQLiteError) -> (row: PictureRow, data: Data)? in
            guard let picture = PictureRow(row), let data = try bytes(of: picture, row, PictureRow.columnCount) else {
                return nil
            }
            return (picture, data)
        }
        return found ?? nil
    }

    /// A row without a blob is damaged.
    private func withoutBytes<Found>(_ key: PictureKey) throws(SQLiteError) -> Lookup<Found> {
        let id = try database.first(
            "SELECT id FROM picture WHERE identifier = ? AND variant = ? AND part = ?", .text(key.identifier),
            .text(key.variant), .integer(key.part ?? 0)
        ) { $0.integer(0) }
        return id == nil ? .absent : .damaged
    }

    /// Lends the bytes of a blob without a copy.
    ///
    /// - Parameter use: must not keep the data.
    /// - Returns: false, without calling `use`, if the bytes are missing or damaged.
    func lend(
        _ blob: Int, _ content: Digest, length: Int, _ use: (Data) -> Void
    ) throws(SQLiteError) -> Bool {
        try database.first("SELECT bytes FROM blob WHERE id = ?", .integer(blob)) { (row) throws(SQLiteError) -> Bool in
            let data = row.isNull(0) ? try files.read(content, length: length) : row.lentData(0)
            guard let data, data.count == length, Digest(of: data) == content else { return false }
            use(data)
            return true
        } ?? false
    }

    private static let files = """
        SELECT \(PictureRow.columns), b.bytes FROM picture p JOIN blob b ON b.id = p.blob WHERE p.variant = ? AND p.id < ?
        ORDER BY p.id DESC LIMIT ?
        """

    /// The pictures of a variant, the latest first. Damaged ones are left out.
    ///
    /// - Parameter end: the end of the rows, exclusive; nil for all.
    func files(
        of variant: String, before end: Int?, most: Int
    ) throws(SQLiteError) -> [(row: PictureRow, data: Data)] {
        var found: [(row: PictureRow, data: Data)] = []
        try database.each(Self.files, [.text(variant), .integer(end ?? .max), .integer(most)]) {
            (row) throws(SQLiteError) in
            guard let picture = PictureRow(row), let data = try bytes(of: picture, row, PictureRow.columnCount) else {
                return
            }
            found.append((picture, data))
        }
        return found
    }

    /// The bytes, if they are the stored ones.
    private func bytes(of picture: PictureRow, _ row: SQLiteRow, _ column: Int32) throws(SQLiteError) -> Data? {
        let data = row.isNull(column) ? try files.read(picture.content, length: picture.length) : row.data(column)
        guard let data, data.count == picture.length, Digest(of: data) == picture.content else { return nil }
        return data
    }
}
