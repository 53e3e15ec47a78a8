import Foundation
import Offstage

/// A node's heartbeat, and taking over jobs from silent nodes.
enum NodeStatements {
    /// The result of a heartbeat.
    struct Beat: Sendable {
        var waiting = 0
        var liveNodes = 0
        /// The number of jobs that must be drawn on their own.
        var suspects = 0
        /// The keys of jobs that have ended or are free again.
        var freed: [Digest] = []
        var takenOver = 0
    }

    private static let live = "seen > now() - make_interval(secs => \(SharedTimes.lease))"

    /// True for a job whose source is one of the node's sources, which are the second parameter.
    private static let isDrawn = "(source = '' OR $2::text[] IS NULL OR source = ANY ($2::text[]))"

    static func beat(
        _ identity: NodeIdentity, held: [Digest], takesOver: Bool, _ session: PQSession
    ) throws(SharedError) -> Beat {
        try session.run(
            """
            INSERT INTO offstage.node AS n (id, name, class, slots, version, parts, sources)
            VALUES ($1, $2, $3, $4::integer, $5, $6::text::json, $7::text[]) ON CONFLICT (id) DO UPDATE SET seen = now()
            """,
            [
                .text(identity.id), .text(identity.name), .text(identity.machineClass), .integer(identity.slots),
                .text(identity.version), .text(identity.partsJSON), identity.sourcesValue,
            ])
        var beat = Beat()
        if identity.slots == 0 { return beat }
        if takesOver {
            try takeOver(session, &beat)
            try removeEnded(session)
        }
        try release(identity.id, held, session, &beat)
        try session.run(counts, [.text(identity.machineClass), identity.sourcesValue]) {
            (beat.waiting, beat.liveNodes, beat.suspects) = ($0.integer(0), $0.integer(1), $0.integer(2))
        }
        return beat
    }

    /// The maximum number of waiting jobs to count. All nodes count them, and 20,000 take 2 ms.
    static let mostCounted = 20_000

    /// This must not slow down with more waiting jobs, or it would delay the node's claims and its next heartbeat.
    static let counts = """
        SELECT (SELECT count(*) FROM (SELECT source FROM offstage.job WHERE state = 'waiting' AND class = $1
                LIMIT \(mostCounted)) AS w WHERE \(isDrawn)),
            (SELECT count(*) FROM offstage.node WHERE class = $1 AND slots > 0 AND \(live)),
            (SELECT count(*) FROM offstage.job WHERE state = 'waiting' AND class = $1 AND crashes > 0 AND \(isDrawn))
        """

    /// Frees the jobs of silent nodes, and removes the requests of silent clients.
    private static func takeOver(_ session: PQSession, _ beat: inout Beat) throws(SharedError) {
        var jobs: [(key: Digest, crashes: Int, isOwn: Bool)] = []
        try session.run(
            """
            SELECT j.key, j.crashes, j.request IS NULL FROM offstage.job j WHERE j.state = 'taken'
                AND NOT EXISTS (SELECT FROM offstage.node n WHERE n.id = j.node AND n.\(live)) LIMIT 1000
            """
        ) { row in
            if let key = row.digest(0) { jobs.append((key, row.integer(1), row.bool(2))) }
        }
        for job in jobs {
            let end = JobEnd(nodeLostAfter: job.crashes)
            // Another node may have done it meanwhile, or the silent node is back.
            beat.takenOver += try session.run(
                """
                WITH old AS (
                    SELECT key FROM offstage.job j WHERE key = $1 AND state = 'taken' AND crashes = $2
                        AND NOT EXISTS (SELECT FROM offstage.node n WHERE n.id = j.node AND n.\(live)) FOR UPDATE
                ), gone AS (
                    DELETE FROM offstage.job j USING old WHERE j.key = old.key AND $3::boolean RETURNING j.key
                ), freed AS (
                    UPDATE offstage.job j SET state = $4, crashes = crashes + $5::integer, node = NULL,
                        reason = $6::text::json, changed = now() FROM old
                    WHERE j.key = old.key AND NOT $3::boolean RETURNING j.key
                ) SELECT key FROM gone UNION ALL SELECT key FROM freed
                """,
                [
                    .digest(job.key), .integer(job.crashes), .text(job.isOwn ? "true" : "false"), .text(end.state),
                    .integer(end.crashes), .text(end.reason?.json),
                ])
            if job.isOwn || end.state != "waiting" {
                try session.run("SELECT offstage.wake($1::bytea[])", [.digests([job.key])])
            }
        }
        if beat.takenOver > 0 {
            try session.run("SELECT pg_notify('offstage_work', class) FROM offstage.node WHERE \(live) GROUP BY class")
        }
        var left: [Digest] = []
        try session.run(
            """
            DELETE FROM offstage.waiter w USING offstage.node n WHERE w.node = n.id AND NOT n.\(live) RETURNING w.key
            """
        ) { row in
            if let key = row.digest(0) { left.append(key) }
        }
        try removeUnwanted(left, session)
    }

    /// Removes a batch of jobs that ended long ago, with their documents, at each heartbeat. A job that is submitted
    /// again at this moment stays.
    private static func removeEnded(_ session: PQSession) throws(SharedError) {
        let hasEnded = "state IN ('failed', 'dead') AND changed < now() - \(SharedTimes.deadAge)"
        try session.run(
            """
            DELETE FROM offstage.job j WHERE \(hasEnded)
                AND key IN (SELECT key FROM offstage.job WHERE \(hasEnded) ORDER BY changed LIMIT 1000)
            """)
    }

    /// Removes waiting jobs that no request waits for.
    static func removeUnwanted(_ keys: [Digest], _ session: PQSession) throws(SharedError) {
        if keys.isEmpty { return }
        try session.run(
            """
            DELETE FROM offstage.job j WHERE key = ANY ($1::bytea[]) AND state = 'waiting'
                AND NOT EXISTS (SELECT FROM offstage.waiter w WHERE w.key = j.key)
            """, [.digests(keys)])
    }

    /// Frees jobs that the database assigns to this node but that the node doesn't know, because the answer to its
    /// claim was lost.
    private static func release(
        _ id: String, _ held: [Digest], _ session: PQSession, _ beat: inout Beat
    ) throws(SharedError) {
        try session.run(
            """
            DELETE FROM offstage.job WHERE node = $1 AND state = 'taken' AND request IS NULL
                AND changed < now() - make_interval(secs => \(SharedTimes.lease)) AND NOT key = ANY ($2::bytea[])
            """, [.text(id), .digests(held)])
        try session.run(
            """
            UPDATE offstage.job SET state = 'waiting', node = NULL WHERE node = $1 AND state = 'taken'
                AND changed < now() - make_interval(secs => \(SharedTimes.lease)) AND NOT key = ANY ($2::bytea[])
            """, [.text(id), .digests(held)])
    }

    /// Signs a node off: frees its jobs for others, and removes requests that only it waits for.
    static func leave(_ id: String, _ session: PQSession) throws(SharedError) {
        var left: [Digest] = []
        try session.run("DELETE FROM offstage.waiter WHERE node = $1 RETURNING key", [.text(id)]) { row in
            if let key = row.digest(0) { left.append(key) }
        }
        var own: [Digest] = []
        try session.run(
            "DELETE FROM offstage.job WHERE node = $1 AND state = 'taken' AND request IS NULL RETURNING key",
            [.text(id)]
        ) { row in
            if let key = row.digest(0) { own.append(key) }
        }
        try session.run(
            "UPDATE offstage.job SET state = 'waiting', node = NULL WHERE node = $1 AND state = 'taken'", [.text(id)])
        try removeUnwanted(left, session)
        if !own.isEmpty { try session.run("SELECT offstage.wake($1::bytea[])", [.digests(own)]) }
        try session.run("DELETE FROM offstage.node WHERE id = $1", [.text(id)])
    }
}

/// Decides whether a node may take jobs from silent nodes. After an outage of PostgreSQL all nodes have been silent,
/// and each needs time to show that it is alive. So a node may do this only after it has sent heartbeats for the length
/// of a lease.
struct BeatSeries: Sendable {
    private var start: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?

    /// Records a heartbeat.
    ///
    /// - Returns: true if the node may take over jobs.
    mutating func mayTakeOver(at now: ContinuousClock.Instant) -> Bool {
        // A node that was suspended, or that failed to send heartbeats, starts over.
        if let last, now - last > .seconds(2.5 * SharedTimes.beat) { start = nil }
        last = now
        let start = start ?? now
        self.start = start
        return now - start >= .seconds(SharedTimes.lease)
    }

    mutating func end() { start = nil }
}

extension PostgresShelf {
    /// - Parameter takesOver: nil to decide according to earlier heartbeats.
    func beat(takesOver: Bool? = nil) async throws(SharedError) {
        let (identity, held) = (identity, Array(held.withLock { $0 }))
        let mayTakeOver = series.withLock { $0.mayTakeOver(at: .now) }
        let beat: NodeStatements.Beat
        do throws(SharedError) {
            beat = try await jobs.run { (session) throws(SharedError) in
                try NodeStatements.beat(identity, held: held, takesOver: takesOver ?? mayTakeOver, session)
            }
        } catch {
            series.withLock { $0.end() }
            throw error
        }
        counters.withLock { counters in
            (counters.waiting, counters.liveNodes) = (beat.waiting, beat.liveNodes)
            counters.takenOver += beat.takenOver
        }
        worker.withLock { $0 }?.note(suspects: beat.suspects)
    }
}
