import Foundation
import Offstage
import Synchronization

extension PostgresShelf {
    /// A request for another machine.
    public struct Submission: Sendable {
        public var key: Digest
        /// The document and its options.
        public var request: Data
        public var client: String
        public var share: Int
        public var priority: Int
        /// True for a request that is drawn even while the queue is suspended.
        public var isImmediate: Bool
        /// The name of the document's source; empty if every node draws it.
        public var source: String

        public init(
            key: Digest, request: Data, client: String = "", share: Int = 1, priority: Int = 0,
            isImmediate: Bool = false, source: String = ""
        ) {
            self.source = source
            (self.key, self.request, self.client) = (key, request, client)
            (self.share, self.priority, self.isImmediate) = (share, priority, isImmediate)
        }
    }

    /// The maximum number of waiting requests per client. Further requests are rejected.
    public static let mostWaiting = 100_000
    /// The maximum size of a request, in bytes.
    public static let largestRequest = 1 << 20

    /// Submits a request and waits for its end. Cancelling the task withdraws it.
    public func drawn(_ submission: Submission) async -> SharedOutcome {
        let wait = waits.open(submission.key)
        counters.withLock { $0.submitted += 1 }
        switch await submit([submission])[submission.key] {
        case .success("no-such-machine"): return .noSuchMachine
        case .success("full"): return .full
        case .success("dead"): return .failed(.engineCrashed)
        case .failure(let error): return .unavailable(error)
        case .success, nil: break
        }
        while true {
            await wait.next()
            if Task.isCancelled {
                await withdraw([submission.key])
                return .failed(.cancelled)
            }
            do throws(SharedError) {
                switch try await state(of: submission.key) {
                case .some(("failed", let failure)), .some(("dead", let failure)):
                    return .failed(failure?.error ?? .engineCrashed)
                case .some: continue
                case nil: return .drawn
                }
            } catch {
                // The job is in the database, but its end may be noticed late.
                if !error.isPassing { return .unavailable(error) }
            }
        }
    }

    /// The state of a job, and a new wait for it. Nil if the job has ended.
    private func state(of key: Digest) async throws(SharedError) -> (state: String, failure: JobFailure?)? {
        let id = identity.id
        return try await jobs.run { (session) throws(SharedError) in
            if self.isLeaving.load(ordering: .sequentiallyConsistent) { return ("waiting", nil) }
            var found: (String, JobFailure?)?
            try session.run(
                """
                WITH found AS (SELECT state, reason::text FROM offstage.job WHERE key = $1 FOR SHARE), again AS (
                    INSERT INTO offstage.waiter SELECT $1, $2 FROM found WHERE state IN ('waiting', 'taken')
                    ON CONFLICT DO NOTHING
                ) SELECT state, reason FROM found
                """, [.digest(key), .text(id)]
            ) { found = ($0.text(0), $0.optionalText(1).flatMap { JobFailure(json: $0) }) }
            return found
        }
    }

    /// Submits requests, up to 100 per statement.
    ///
    /// - Returns: the states of the jobs.
    func submit(_ all: [Submission]) async -> [Digest: Result<String, SharedError>] {
        let (id, machineClass) = (identity.id, machineClass)
        var states: [Digest: Result<String, SharedError>] = [:]
        let groups = Dictionary(grouping: all) {
            "\($0.priority) \($0.isImmediate) \($0.share) \($0.source) \($0.client)"
        }
        for group in groups.values {
            for start in stride(from: 0, to: group.count, by: 100) {
                let some = Array(group[start..<min(start + 100, group.count)])
                do throws(SharedError) {
                    let found = try await jobs.run { (session) throws(SharedError) in
                        var found: [Digest: String] = [:]
                        // The connection runs calls in order. After `withdraw` has run, nothing would withdraw new
                        // requests.
                        if self.isLeaving.load(ordering: .sequentiallyConsistent) { return found }
                        try session.run(
                            """
                            SELECT job, job_state FROM offstage.submit($1::text, $2::text, $3::integer, $4::text, $5::integer,
                                $6::boolean, $7::integer, $8::float8, $9::bytea[], $10::bytea[], $11::text)
                            """,
                            [
                                .text(machineClass), .text(some[0].client), .integer(some[0].share), .text(id),
                                .integer(some[0].priority), .text(some[0].isImmediate ? "true" : "false"),
                                .integer(Self.mostWaiting), .real(SharedTimes.lease), .digests(some.map(\.key)),
                                .bytesList(some.map(\.request)), .text(some[0].source),
                            ]
                        ) { row in
                            if let key = row.digest(0) { found[key] = row.text(1) }
                        }
                        return found
                    }
                    for (key, state) in found { states[key] = .success(state) }
                } catch {
                    note(error)
                    for one in some { states[one.key] = .failure(error) }
                }
            }
        }
        return states
    }

    /// For each of these keys, ends the wait of one local request. A job that no other request is waiting for is
    /// removed, unless it is being drawn.
    public func withdraw(_ keys: [Digest]) async {
        let (id, waits) = (identity.id, waits)
        try? await jobs.run { (session) throws(SharedError) in
            // An equal request of this process waits for the same job. A request that starts to wait after this check
            // also submits after it.
            let keys = keys.filter { waits.isLast($0) }
            if keys.isEmpty { return }
            try session.run(
                "DELETE FROM offstage.waiter WHERE node = $1 AND key = ANY ($2::bytea[])", [.text(id), .digests(keys)])
            try NodeStatements.removeUnwanted(keys, session)
        }
    }

    /// Changes the priority of a waiting job. It is lowered only if nobody else waits for the job.
    public func setPriority(_ priority: Int, of key: Digest) async {
        let id = identity.id
        try? await jobs.run { (session) throws(SharedError) in
            _ = try session.run(
                """
                UPDATE offstage.job j SET priority = $2::integer WHERE key = $1 AND state = 'waiting' AND (priority < $2::integer
                    OR NOT EXISTS (SELECT FROM offstage.waiter w WHERE w.key = j.key AND w.node <> $3))
                """, [.digest(key), .integer(priority), .text(id)])
        }
    }

    /// Suspends or resumes the queue of all nodes.
    ///
    /// - Parameters:
    ///   - id: the suspension's name.
    ///   - seconds: the duration; 0 to resume.
    ///   - client: nil for all clients.
    public func suspend(_ id: String, seconds: Double, client: String? = nil) async throws(SharedError) {
        try await jobs.run { (session) throws(SharedError) in
            if seconds <= 0 {
                try session.run("DELETE FROM offstage.suspension WHERE id = $1", [.text(id)])
                try session.run("SELECT pg_notify('offstage_work', class) FROM offstage.node GROUP BY class")
            } else {
                try session.run(
                    """
                    INSERT INTO offstage.suspension VALUES ($1, $2::text, now() + make_interval(secs => $3::float8))
                    ON CONFLICT (id) DO UPDATE SET until = EXCLUDED.until
                    """, [.text(id), .text(client), .real(seconds)])
            }
            try session.run("SELECT pg_notify('offstage_suspend', '')")
        }
    }

    /// Reports to the handler of `onSuspension` how many seconds the queue of all nodes is still suspended.
    public func noteSuspension() async {
        guard let handle = suspending.withLock({ $0 }) else { return }
        let seconds = try? await jobs.run { (session) throws(SharedError) in
            var seconds = 0.0
            try session.run(
                """
                SELECT coalesce(max(extract(epoch FROM until - now())), 0)::float8 FROM offstage.suspension
                WHERE client IS NULL AND until > now()
                """
            ) { seconds = $0.real(0) }
            return seconds
        }
        if let seconds { handle(seconds) }
    }
}
