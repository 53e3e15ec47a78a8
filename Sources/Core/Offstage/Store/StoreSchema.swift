/// The schema of the database. A version is a step from the previous one; a released step never changes.
enum StoreSchema {
    /// Indexed by `PRAGMA user_version`: the first step makes version 1.
    static let steps = [
        // Bytes are in a separate table, so that listing pictures does not read them, and equal bytes are stored only
        // once. The bytes of an empty blob are in a file.
        """
        CREATE TABLE blob (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            length INTEGER NOT NULL,
            bytes BLOB
        );
        CREATE INDEX blob_in_file ON blob(length) WHERE bytes IS NULL;
        CREATE TABLE picture (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL,
            variant TEXT NOT NULL,
            part INTEGER NOT NULL,
            part_count INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            parts BLOB NOT NULL,
            dependencies BLOB NOT NULL,
            format TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            scale REAL NOT NULL,
            opaque INTEGER NOT NULL,
            warnings TEXT,
            blob INTEGER NOT NULL,
            seal BLOB NOT NULL,
            stored INTEGER NOT NULL,
            used INTEGER NOT NULL,
            UNIQUE (identifier, variant, part)
        );
        CREATE INDEX picture_by_blob ON picture(blob);
        CREATE INDEX picture_by_use ON picture(used);
        """,
        // Data from the host; and an index to find pictures with the same fingerprint under other identifiers.
        """
        ALTER TABLE picture ADD COLUMN extra TEXT;
        CREATE INDEX picture_by_fingerprint ON picture(fingerprint);
        """,
        // Clickable areas and text.
        "ALTER TABLE picture ADD COLUMN content TEXT",
        // Pinned pictures: clients of a service stored them with PUT. A pinned picture can be removed only after a
        // statement has unpinned it. A program of an older version that still has the database open fails at the
        // trigger instead of evicting one.
        """
        ALTER TABLE picture ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE picture ADD COLUMN owner TEXT;
        UPDATE picture SET pinned = 1
            WHERE identifier >= '//v1/images/' AND identifier < '//v1/images0' AND variant IN ('put', 'put-peaks');
        DROP INDEX picture_by_use;
        CREATE INDEX picture_by_use ON picture(used) WHERE pinned = 0;
        CREATE INDEX picture_pinned ON picture(blob) WHERE pinned = 1;
        CREATE TRIGGER picture_stays BEFORE DELETE ON picture WHEN OLD.pinned = 1
            BEGIN SELECT RAISE(ABORT, 'a pinned picture'); END;
        """,
    ]

    static let version = steps.count

    /// Settings of the file, before its first table.
    private static let layout = """
        PRAGMA page_size = 8192;
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA application_id = 0x4F666653;
        """

    /// Settings of a connection. A commit does not wait for the disk: a power cut may lose the last pictures, but never
    /// the database. Changes to pinned pictures do wait: see `Database.durably`.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA secure_delete = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA cache_size = -4096;
        PRAGMA journal_size_limit = 16777216;
        """

    enum State {
        case current, empty, foreign
        case older(Int)
        case newer(Int)
    }

    static func state(of database: Database) throws(SQLiteError) -> State {
        let version = try database.number("PRAGMA user_version")
        switch version {
        case Self.version: return .current
        case (Self.version + 1)...: return .newer(version)
        case 1...: return .older(version)
        default: return try database.number("SELECT count(*) FROM sqlite_schema") == 0 ? .empty : .foreign
        }
    }

    /// Creates the tables, or upgrades them from an older version.
    static func bring(_ database: Database, from version: Int) throws(SQLiteError) {
        if version == 0 { try database.execute(layout) }
        try database.execute(settings)
        try database.transaction(.write) { () throws(SQLiteError) in
            for step in steps[version...] { try database.execute(step) }
            try database.execute("PRAGMA user_version = \(Self.version)")
        }
    }
}
