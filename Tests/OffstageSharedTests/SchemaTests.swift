import Foundation
import Offstage
import PostgresCluster
import Testing

@testable import OffstageShared

struct SchemaTests {
    @Test("a database without tables, with newer tables or with older tables is refused")
    func versions() async throws {
        let address = try Cluster.shared.database() as SharedAddress
        await #expect(throws: SharedError.notInitialized) { try await SharedDatabase(address).statistics() }
        #expect(try await SharedDatabase(address).initialize() == (0, SharedSchema.version))
        #expect(try await SharedDatabase(address).statistics().pictures == 0)
        // Initializing again changes nothing.
        #expect(try await SharedDatabase(address).initialize() == (SharedSchema.version, SharedSchema.version))
        let connection = SharedConnection(address, name: "test", isForInit: true)
        try await connection.run { (session) throws(SharedError) in
            try session.execute("UPDATE offstage.about SET version = 99")
        }
        await #expect(throws: SharedError.version(found: 99, own: SharedSchema.version)) {
            try await SharedDatabase(address).statistics()
        }
        await #expect(throws: SharedError.version(found: 99, own: SharedSchema.version)) {
            _ = try await SharedDatabase(address).initialize()
        }
    }

    @Test("several machines can initialize at the same time")
    func concurrently() async throws {
        let address = try Cluster.shared.database() as SharedAddress
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await SharedDatabase(address).initialize() } }
            try await group.waitForAll()
        }
        #expect(try await SharedDatabase(address).statistics().names == 0)
    }

    @Test("the first version of the tables is upgraded, and its jobs are preserved")
    func upgrade() async throws {
        let address = try Cluster.shared.database() as SharedAddress
        let connection = SharedConnection(address, name: "test", isForInit: true)
        try await connection.run { (session) throws(SharedError) in
            try session.execute(
                """
                CREATE SCHEMA offstage;
                CREATE TABLE offstage.about (version integer NOT NULL, made timestamptz DEFAULT now());
                INSERT INTO offstage.about (version) VALUES (1);
                """ + SharedSchema.steps[0]
                    + """
                    INSERT INTO offstage.job (key, class, priority, turn, client, state, request)
                    VALUES (decode(repeat('ab', 32), 'hex'), 'class', 2, 0, '', 'waiting', 'a');
                    INSERT INTO offstage.name (identifier, digest, length, info, version) VALUES ('x', '', 0, '{}', 1)
                    """)
        }
        await #expect(throws: SharedError.version(found: 1, own: SharedSchema.version)) {
            try await SharedDatabase(address).statistics()
        }
        #expect(try await SharedDatabase(address).initialize() == (1, SharedSchema.version))
        let node = try await TestNode(address, sources: ["html"])
        _ = await node.shelf.submit([node.submission(1)])
        let plan = ClaimPlan(window: 4, running: 0, free: 4, suspects: 0, isAlone: false)
        // Every node draws requests whose source is unknown.
        #expect(await node.shelf.claimJobs(plan).count == 2)
        #expect(try await node.shelf.owner(of: "x") == PictureOwner(name: nil))
        await node.stop()
    }

    @Test("a role has the rights that it needs and no others")
    func roles() async throws {
        let address = try await Cluster.shared.initialized()
        func asRole(_ role: SharedRole, _ statement: String) async throws(SharedError) {
            let connection = SharedConnection(address, name: "test")
            try await connection.run { (session) throws(SharedError) in
                try session.execute("SET ROLE \(role.rawValue)")
                try session.execute(statement)
            }
        }
        try await asRole(.node, "DELETE FROM offstage.picture")
        try await asRole(.client, "INSERT INTO offstage.waiter VALUES ('a', 'b')")
        try await asRole(.client, "SELECT bytes FROM offstage.blob")
        try await asRole(.reader, "SELECT count(*), sum(length) FROM offstage.picture")
        for (role, statement) in [
            (SharedRole.node, "DROP TABLE offstage.picture"), (.node, "UPDATE offstage.about SET version = 2"),
            (.client, "DELETE FROM offstage.picture"), (.client, "INSERT INTO offstage.blob VALUES ('a', 0, 'b')"),
            (.client, "SELECT * FROM offstage.name"), (.reader, "SELECT request FROM offstage.job"),
            (.reader, "SELECT bytes FROM offstage.blob"), (.reader, "DELETE FROM offstage.job"),
        ] {
            let error = await #expect(throws: SharedError.self) { try await asRole(role, statement) }
            guard case .rights = error else {
                Issue.record("\(role): \(statement): \(String(describing: error))")
                continue
            }
        }
    }

    /// All rights of the three roles, as described in SECURITY.md. `public` means everybody.
    @Test("the roles have these rights, and everybody else has none")
    func rights() async throws {
        let connection = SharedConnection(try await Cluster.shared.initialized(), name: "test", isForInit: true)
        let rights = try await connection.run { (session) throws(SharedError) -> [String] in
            var rights: [String] = []
            try session.run(
                """
                WITH granted AS (
                    SELECT relname::text AS name, (aclexplode(relacl)).*, relowner AS owner FROM pg_class
                    WHERE relnamespace = 'offstage'::regnamespace
                    UNION ALL SELECT c.relname || '.' || attname, (aclexplode(attacl)).*, c.relowner FROM pg_attribute
                    JOIN pg_class c ON c.oid = attrelid WHERE c.relnamespace = 'offstage'::regnamespace
                    UNION ALL SELECT 'schema', (aclexplode(nspacl)).*, nspowner FROM pg_namespace WHERE nspname = 'offstage'
                    UNION ALL SELECT 'function ' || proname, (aclexplode(proacl)).*, proowner FROM pg_proc
                    WHERE pronamespace = 'offstage'::regnamespace
                )
                SELECT coalesce(rolname, 'public') || ' ' || name || ': '
                    || string_agg(lower(privilege_type), ' ' ORDER BY privilege_type)
                FROM granted LEFT JOIN pg_roles ON pg_roles.oid = grantee WHERE grantee <> owner
                GROUP BY rolname, name
                """
            ) { rights.append($0.text(0)) }
            try session.run(
                """
                SELECT 1 FROM pg_roles LEFT JOIN pg_auth_members ON member = pg_roles.oid
                WHERE rolname LIKE 'offstage\\_%' AND (rolcanlogin OR rolsuper OR rolcreatedb OR rolcreaterole
                    OR rolreplication OR rolbypassrls OR roleid IS NOT NULL)
                """
            ) { _ in Issue.record("a role can do more than its rights say") }
            return rights
        }
        #expect(rights.sorted() == Self.rights)
    }

    private static let rights = [
        "offstage_client about: select", "offstage_client blob.used: update", "offstage_client blob: select",
        "offstage_client client: delete insert select update", "offstage_client job: delete insert select update",
        "offstage_client node: delete insert select update", "offstage_client picture.used: update",
        "offstage_client picture: select", "offstage_client schema: usage", "offstage_client suspension: select",
        "offstage_client waiter: delete insert select update", "offstage_node about: select",
        "offstage_node blob: delete insert select update", "offstage_node client: delete insert select update",
        "offstage_node counter: delete insert select update", "offstage_node job: delete insert select update",
        "offstage_node name: delete insert select update", "offstage_node node: delete insert select update",
        "offstage_node picture: delete insert select update", "offstage_node schema: usage",
        "offstage_node suspension: delete insert select update", "offstage_node waiter: delete insert select update",
        "offstage_reader about: select", "offstage_reader client: select", "offstage_reader counter: select",
        "offstage_reader job.changed: select", "offstage_reader job.class: select",
        "offstage_reader job.client: select", "offstage_reader job.crashes: select",
        "offstage_reader job.is_immediate: select", "offstage_reader job.key: select",
        "offstage_reader job.node: select", "offstage_reader job.priority: select",
        "offstage_reader job.since: select", "offstage_reader job.state: select", "offstage_reader job.turn: select",
        "offstage_reader name.changed: select", "offstage_reader name.identifier: select",
        "offstage_reader name.length: select", "offstage_reader name.version: select",
        "offstage_reader node: select", "offstage_reader picture.class: select",
        "offstage_reader picture.key: select", "offstage_reader picture.length: select",
        "offstage_reader picture.part: select", "offstage_reader picture.used: select",
        "offstage_reader schema: usage", "offstage_reader suspension: select", "offstage_reader waiter: select",
    ]

    @Test("values of all kinds are read back unchanged")
    func values() async throws {
        let connection = SharedConnection(try await Cluster.shared.initialized(), name: "test")
        let data = Data((0...255).map { UInt8($0) })
        try await connection.run { (session) throws(SharedError) in
            var rows = 0
            try session.run(
                """
                SELECT $1::bytea, $2::text, $3::bigint, $4::float8, $5::bytea IS NULL, ($6::bytea[])[2], ($7::text[])[1],
                    ($8::int[])[2], ''::text, ''::bytea
                """,
                [
                    .bytes(data), .text("é\"\\"), .integer(-7), .real(0.1), .null, .bytesList([Data(), data]),
                    .texts(["a\"b\\,{}"]), .integers([1, -2]),
                ]
            ) { row in
                rows += 1
                #expect(row.data(0) == data && row.text(1) == "é\"\\" && row.integer(2) == -7 && row.real(3) == 0.1)
                #expect(row.bool(4) && row.data(5) == data && row.text(6) == "a\"b\\,{}" && row.integer(7) == -2)
                #expect(row.text(8) == "" && row.data(9).isEmpty && !row.isNull(9))
            }
            #expect(rows == 1)
        }
    }

    @Test("a lost connection causes an error, and the next call opens a new one")
    func loss() async throws {
        let connection = SharedConnection(try await Cluster.shared.initialized(), name: "test")
        await #expect(throws: SharedError.self) {
            try await connection.run { (session) throws(SharedError) in
                try session.run("SELECT pg_terminate_backend(pg_backend_pid())")
                try session.run("SELECT 1")
            }
        }
        #expect(try await connection.run { (session) throws(SharedError) in try session.run("SELECT 1") } == 1)
    }

    @Test("no server is listening")
    func absent() async throws {
        let database = SharedDatabase(try SharedAddress("host=/nonexistent dbname=offstage"))
        let error = await #expect(throws: SharedError.self) { try await database.statistics() }
        #expect("\(error!)".hasPrefix("PostgreSQL cannot be reached: "))
        #expect(error?.isPassing == true)
    }
}
