/// The tables of the shared database. Each version is a step from the previous one, and a released step never changes.
enum SharedSchema {
    static let steps = [
        // Pictures, by a key of everything that decides the pixels, and by the files that the drawing read. Bytes are
        // stored in parts of 256 KiB, so that no statement holds a large picture twice in memory. Equal bytes are
        // stored once.
        """
        CREATE TABLE offstage.blob (
            digest bytea NOT NULL, part integer NOT NULL, bytes bytea NOT NULL,
            used timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (digest, part)
        );
        ALTER TABLE offstage.blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
        CREATE TABLE offstage.picture (
            key bytea NOT NULL, files bytea NOT NULL, part integer NOT NULL, part_count integer NOT NULL,
            digest bytea NOT NULL, length bigint NOT NULL, info json NOT NULL, class text COLLATE "C" NOT NULL,
            used timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (key, files, part)
        );
        CREATE INDEX picture_by_digest ON offstage.picture (digest);
        CREATE INDEX picture_by_use ON offstage.picture (used);
        CREATE TABLE offstage.name (
            identifier text COLLATE "C" PRIMARY KEY, digest bytea NOT NULL, length bigint NOT NULL, info json NOT NULL,
            version bigint NOT NULL, changed timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX name_by_digest ON offstage.name (digest);
        """
            // Jobs. A job that a node draws for its own client has no request, because only that node needs it.
            + """
            CREATE TABLE offstage.job (
                key bytea PRIMARY KEY, class text COLLATE "C" NOT NULL, priority smallint NOT NULL,
                turn double precision NOT NULL, client text COLLATE "C" NOT NULL,
                state text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'taken', 'failed', 'dead')),
                crashes integer NOT NULL DEFAULT 0, node text COLLATE "C", request bytea, reason json,
                is_immediate boolean NOT NULL DEFAULT false,
                since timestamptz NOT NULL DEFAULT now(), changed timestamptz NOT NULL DEFAULT now()
            ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
            CREATE INDEX job_waiting ON offstage.job (class, priority DESC, turn) WHERE state = 'waiting';
            CREATE INDEX job_by_client ON offstage.job (client) WHERE state = 'waiting';
            CREATE INDEX job_taken ON offstage.job (node) WHERE state = 'taken';
            CREATE INDEX job_ended ON offstage.job (changed) WHERE state IN ('failed', 'dead');
            CREATE TABLE offstage.waiter (
                key bytea NOT NULL, node text COLLATE "C" NOT NULL, PRIMARY KEY (key, node)
            ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
            CREATE INDEX waiter_by_node ON offstage.waiter (node);
            CREATE TABLE offstage.node (
                id text COLLATE "C" PRIMARY KEY, name text NOT NULL, class text COLLATE "C" NOT NULL,
                slots integer NOT NULL, version text NOT NULL, parts json NOT NULL,
                since timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now()
            ) WITH (fillfactor = 50);
            CREATE TABLE offstage.client (
                name text COLLATE "C" PRIMARY KEY, share integer NOT NULL, last double precision NOT NULL
            ) WITH (fillfactor = 50);
            CREATE TABLE offstage.suspension (
                id text COLLATE "C" PRIMARY KEY, client text COLLATE "C", until timestamptz NOT NULL
            );
            CREATE TABLE offstage.counter (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
            """ + SharedFunctions.all,
        // All nodes look for suspects at each heartbeat, among any number of waiting jobs. A job has a source, '' for
        // any. A node draws some sources, NULL for all.
        """
        CREATE INDEX job_suspect ON offstage.job (class, priority DESC, turn) WHERE state = 'waiting' AND crashes > 0;
        ALTER TABLE offstage.job ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT '';
        ALTER TABLE offstage.node ADD COLUMN sources text[];
        """ + SharedFunctions.submitBySource,
        // A picture under an identifier has an owner; NULL for none.
        """
        ALTER TABLE offstage.name ADD COLUMN owner text COLLATE "C";
        """ + SharedFunctions.putWithOwner,
        // A dead job is tried again after an hour.
        SharedFunctions.forgetDead,
    ]

    static let version = steps.count

    /// - Throws: `.notInitialized` and `.version`.
    static func check(_ session: PQSession) throws(SharedError) {
        var found: Int?
        try session.run("SELECT version FROM offstage.about") { found = $0.integer(0) }
        guard let found else { throw .notInitialized }
        if found != version { throw .version(found: found, own: version) }
    }

    /// Creates the tables, or upgrades them, and creates the roles. Existing tables keep their data. Several machines
    /// may call it at the same time.
    ///
    /// - Returns: the previous version; 0 for none.
    static func bring(_ session: PQSession) throws(SharedError) -> Int {
        try session.transaction { () throws(SharedError) in
            // One machine at a time. The lock ends with the transaction.
            try session.run("SELECT pg_advisory_xact_lock(5725851102)")
            try session.execute(
                """
                SET LOCAL client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS offstage;
                CREATE TABLE IF NOT EXISTS offstage.about (version integer NOT NULL, made timestamptz DEFAULT now())
                """)
            var found = 0
            try session.run("SELECT version FROM offstage.about") { found = $0.integer(0) }
            if found > version { throw SharedError.version(found: found, own: version) }
            for step in steps[found...] { try session.execute(step) }
            if found == 0 {
                try session.run("INSERT INTO offstage.about (version) VALUES ($1)", [.integer(version)])
            } else {
                try session.run("UPDATE offstage.about SET version = $1", [.integer(version)])
            }
            for role in SharedRole.allCases {
                if try !exists(role, session) { try create(role, session) }
                try session.execute("GRANT USAGE ON SCHEMA offstage TO \(role.rawValue); " + role.grants)
            }
            return found
        }
    }

    /// Roles belong to the whole server, and another database's set-up may create them at the same time.
    private static func create(_ role: SharedRole, _ session: PQSession) throws(SharedError) {
        try session.execute(
            """
            DO $$ BEGIN CREATE ROLE \(role.rawValue) NOLOGIN;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
            """)
    }

    private static func exists(_ role: SharedRole, _ session: PQSession) throws(SharedError) -> Bool {
        try session.run("SELECT 1 FROM pg_roles WHERE rolname = $1::text::name", [.text(role.rawValue)]) > 0
    }
}

/// The roles for the accounts of nodes and clients, each with the minimum of rights.
public enum SharedRole: String, CaseIterable, Sendable {
    /// `serve` and `work`: reads and writes rows, but does not change tables.
    case node = "offstage_node"
    /// `render --via`: submits jobs and reads pictures. It cannot write or remove a picture.
    case client = "offstage_client"
    /// `shared stats` and `shared nodes`: reads counts, but no document and no picture.
    case reader = "offstage_reader"

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    var grants: String {
        let all = "ALL TABLES IN SCHEMA offstage"
        return switch self {
        case .node:
            """
            GRANT SELECT, INSERT, UPDATE, DELETE ON \(all) TO offstage_node;
            REVOKE INSERT, UPDATE, DELETE ON offstage.about FROM offstage_node
            """
        case .client:
            """
            GRANT SELECT ON offstage.about, offstage.picture, offstage.blob, offstage.job, offstage.waiter,
                offstage.node, offstage.client, offstage.suspension TO offstage_client;
            GRANT INSERT, UPDATE, DELETE ON offstage.job, offstage.waiter, offstage.node, offstage.client
                TO offstage_client;
            GRANT UPDATE (used) ON offstage.picture, offstage.blob TO offstage_client
            """
        case .reader:
            """
            GRANT SELECT ON offstage.about, offstage.node, offstage.client, offstage.waiter, offstage.suspension,
                offstage.counter TO offstage_reader;
            GRANT SELECT (key, class, priority, turn, client, state, crashes, node, is_immediate, since, changed)
                ON offstage.job TO offstage_reader;
            GRANT SELECT (key, part, length, class, used) ON offstage.picture TO offstage_reader;
            GRANT SELECT (identifier, length, version, changed) ON offstage.name TO offstage_reader
            """
        }
    }
}
