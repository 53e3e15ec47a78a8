/// Saves the pinned pictures of a damaged database, as far as they can be read, because they could not be drawn again.
struct StoreSalvage {
    private let damaged: String
    private let fresh: String
    private let files: LargeFiles

    /// - Parameters:
    ///   - damaged: the path of the old database.
    ///   - fresh: the path of the new one, which does not exist yet.
    init(from damaged: String, to fresh: String, _ files: LargeFiles) {
        (self.damaged, self.fresh, self.files) = (damaged, fresh, files)
    }

    /// Creates the new database if there is something to save. Call it with the exclusive lock.
    ///
    /// - Returns: the number of saved pictures.
    func run() -> Int {
        var saved = 0
        do throws(SQLiteError) {
            let old = try Database(path: damaged, creates: false, patience: 0)
            switch try StoreSchema.state(of: old) {
            case .current: break
            case .older(let version): try StoreSchema.bring(old, from: version)
            case .empty, .foreign, .newer: return 0
            }
            let numbers = Self.numbers(in: old)
            if numbers.isEmpty { return 0 }
            let reader = StoreReader(database: old, files: files)
            let new = try Database(path: fresh, creates: true, patience: 0)
            try StoreSchema.bring(new, from: 0)
            for number in numbers.sorted() {
                // Nil if the row's page is damaged, or if the picture differs from the stored one.
                guard let found = (try? reader.picture(id: number)) ?? nil else { continue }
                try StoreEditor.edit(new, files) { (editor) throws(SQLiteError) in try editor.put(found.row, found.data)
                }
                saved += 1
            }
            try new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            // The disk is full, or the file is not a database at all. Pictures saved so far stay.
        }
        return saved
    }

    /// The numbers of the pinned pictures, read in three ways: each way ends at the first damaged page.
    private static func numbers(in database: Database) -> Set<Int> {
        var numbers: Set<Int> = []
        for way in [
            "NOT INDEXED WHERE pinned = 1 ORDER BY id", "NOT INDEXED WHERE pinned = 1 ORDER BY id DESC",
            "INDEXED BY picture_pinned WHERE pinned = 1",
        ] {
            try? database.each("SELECT id FROM picture \(way)") { numbers.insert($0.integer(0)) }
        }
        return numbers
    }
}
