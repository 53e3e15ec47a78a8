import Foundation
import Offstage

/// The administrator's view of the shared database, for `offstage shared`.
public final class SharedDatabase: Sendable {
    public let address: SharedAddress
    private let connection: SharedConnection

    public init(_ address: SharedAddress) {
        self.address = address
        connection = SharedConnection(address, name: "administration")
    }

    /// Creates the tables and the roles, or upgrades the tables.
    ///
    /// - Returns: the schema's version before (0 for none) and after.
    public func initialize() async throws(SharedError) -> (before: Int, now: Int) {
        let connection = SharedConnection(address, name: "init", isForInit: true)
        let before = try await connection.run { (session) throws(SharedError) in try SharedSchema.bring(session) }
        await connection.close()
        return (before, SharedSchema.version)
    }

    /// Counts the entries of all tables. Takes time in proportion to the number of pictures.
    public func statistics() async throws(SharedError) -> SharedStatistics {
        try await connection.run { (session) throws(SharedError) in
            var all = SharedStatistics()
            try session.run(
                "SELECT count(*), coalesce(sum(length), 0)::bigint FROM offstage.picture"
            ) { (all.pictures, all.pictureBytes) = ($0.integer(0), $0.integer(1)) }
            try session.run("SELECT count(*) FROM offstage.name") { all.names = $0.integer(0) }
            try session.run(
                """
                SELECT class, state, count(*), coalesce(extract(epoch FROM now() - min(since)), 0)::float8
                FROM offstage.job GROUP BY class, state ORDER BY class, state
                """
            ) {
                all.jobs.append(
                    .init(machineClass: $0.text(0), state: $0.text(1), count: $0.integer(2), oldest: $0.real(3)))
            }
            try session.run(
                """
                SELECT count(*), coalesce(sum(slots), 0)::bigint FROM offstage.node
                WHERE seen > now() - make_interval(secs => $1::float8)
                """, [.real(SharedTimes.lease)]
            ) { (all.liveNodes, all.slots) = ($0.integer(0), $0.integer(1)) }
            try session.run("SELECT name, value FROM offstage.counter") { all.counters[$0.text(0)] = $0.integer(1) }
            try session.run("SELECT pg_database_size(current_database())") { all.diskBytes = $0.integer(0) }
            return all
        }
    }

    /// The nodes seen within the last day, by name.
    public func nodes() async throws(SharedError) -> [SharedNode] {
        try await connection.run { (session) throws(SharedError) in
            var all: [SharedNode] = []
            try session.run(
                """
                SELECT n.id, n.name, n.class, n.slots, n.version, n.parts::text,
                    extract(epoch FROM now() - n.seen)::float8,
                    (SELECT count(*) FROM offstage.job j WHERE j.node = n.id AND j.state = 'taken'),
                    array_to_string(n.sources, ',')
                FROM offstage.node n WHERE n.seen > now() - interval '1 day' ORDER BY n.name, n.id
                """
            ) { row in
                all.append(
                    SharedNode(
                        id: row.text(0), name: row.text(1), machineClass: row.text(2), slots: row.integer(3),
                        version: row.text(4), parts: SharedNode.parts(row.text(5)),
                        sources: row.optionalText(8)?.split(separator: ",").map(String.init), silence: row.real(6),
                        taken: row.integer(7)))
            }
            return all
        }
    }

    /// The jobs given up because their documents ended the processes that drew them, newest first.
    public func deadJobs() async throws(SharedError) -> [DeadJob] {
        try await connection.run { (session) throws(SharedError) in
            var all: [DeadJob] = []
            try session.run(
                """
                SELECT key, client, crashes, extract(epoch FROM now() - changed)::float8, request IS NOT NULL
                FROM offstage.job WHERE state = 'dead' AND changed > now() - \(SharedTimes.deadAge) ORDER BY changed DESC
                """
            ) { row in
                guard let key = row.digest(0) else { return }
                all.append(
                    DeadJob(
                        key: key, client: row.text(1), crashes: row.integer(2), age: row.real(3),
                        canRetry: row.bool(4)))
            }
            return all
        }
    }

    /// Allows dead jobs to be drawn again.
    ///
    /// - Parameter key: nil for all.
    /// - Returns: the number of jobs.
    public func retry(_ key: Digest?) async throws(SharedError) -> Int {
        try await connection.run { (session) throws(SharedError) in
            // A job that only its own client can submit is removed.
            try session.run(
                """
                WITH gone AS (
                    DELETE FROM offstage.job WHERE state = 'dead' AND request IS NULL
                        AND ($1::bytea IS NULL OR key = $1) RETURNING 1
                ), freed AS (
                    UPDATE offstage.job SET state = 'waiting', crashes = 0, node = NULL, reason = NULL, changed = now()
                    WHERE state = 'dead' AND request IS NOT NULL AND ($1::bytea IS NULL OR key = $1) RETURNING 1
                ) SELECT 1 FROM gone UNION ALL SELECT 1 FROM freed
                """, [key.map { .digest($0) } ?? .null])
        }
    }

    /// Removes the pictures that were last used too long ago, then the least recently used ones until the rest fits the
    /// maximum total size. Also removes ended jobs and unreferenced bytes.
    ///
    /// - Parameters:
    ///   - days: the maximum age; nil, the default, for any.
    ///   - bytes: the maximum total size; nil, the default, for any.
    /// - Returns: the number of pictures.
    public func trim(olderThan days: Double? = nil, to bytes: Int? = nil) async throws(SharedError) -> Int {
        try await connection.run { (session) throws(SharedError) in
            var count = 0
            if let days {
                count += try session.run(
                    "DELETE FROM offstage.picture WHERE used < now() - make_interval(secs => $1::float8)",
                    [.real(days * 86_400)])
            }
            if let bytes {
                count += try session.run(
                    """
                    DELETE FROM offstage.picture p USING (
                        SELECT key, files, part, sum(length) OVER (ORDER BY used DESC, key, files, part) AS total
                        FROM offstage.picture
                    ) o WHERE o.total > $1 AND p.key = o.key AND p.files = o.files AND p.part = o.part
                    """, [.integer(bytes)])
            }
            try Self.tidy(session)
            return count
        }
    }

    /// Bytes that a node is storing right now don't belong to a picture yet, so unreferenced bytes stay for an hour.
    private static func tidy(_ session: PQSession) throws(SharedError) {
        try session.run(
            """
            DELETE FROM offstage.blob b WHERE used < now() - interval '1 hour'
                AND NOT EXISTS (SELECT FROM offstage.picture p WHERE p.digest = b.digest)
                AND NOT EXISTS (SELECT FROM offstage.name n WHERE n.digest = b.digest)
            """)
        try session.run(
            """
            DELETE FROM offstage.job WHERE state IN ('failed', 'dead') AND changed < now() - \(SharedTimes.deadAge)
            """)
        try session.run("DELETE FROM offstage.node WHERE seen < now() - interval '1 day'")
        try session.run("DELETE FROM offstage.suspension WHERE until < now()")
    }

    public func close() async { await connection.close() }
}
