import PostgresCluster
import Testing

@testable import OffstageShared

/// PostgreSQL's plans for queries that all nodes run frequently: none may read all waiting jobs.
struct PlanTests {
    private func plan(_ statement: String, _ types: String, _ values: String, _ session: PQSession) throws -> String {
        try session.execute("PREPARE asked (\(types)) AS \(statement)")
        var lines: [String] = []
        try session.run("EXPLAIN EXECUTE asked (\(values))") { lines.append($0.text(0)) }
        try session.execute("DEALLOCATE asked")
        return lines.joined(separator: "\n")
    }

    private func claim(isAlone: Bool) -> ClaimPlan {
        ClaimPlan(window: 4, running: 0, free: 4, suspects: isAlone ? 1 : 0, isAlone: false)
    }

    @Test("heartbeats and claims find their jobs with an index")
    func indexes() async throws {
        let connection = SharedConnection(try await Cluster.shared.initialized(), name: "test")
        let plans: [String] = try await connection.run { (session) throws(SharedError) in
            try session.execute(
                """
                INSERT INTO offstage.job (key, class, priority, turn, client, state, request)
                SELECT sha256(i::text::bytea), 'class', 0, i, '', 'waiting', 'a' FROM generate_series(1, 20000) i;
                ANALYZE offstage.job; SET plan_cache_mode = force_generic_plan
                """)
            var plans: [String] = []
            for (statement, types, values) in [
                (NodeStatements.counts, "text, text[]", "'class', NULL"),
                (PostgresShelf.claimStatement(claim(isAlone: true)), "text, text, text[]", "'node', 'class', '{html}'"),
                (
                    PostgresShelf.claimStatement(claim(isAlone: false)), "text, text, text[]",
                    "'node', 'class', '{html}'"
                ),
            ] {
                do { plans.append(try plan(statement, types, values, session)) } catch {
                    throw error as? SharedError ?? .failed(code: "", message: "\(error)")
                }
            }
            return plans
        }
        for plan in plans[1...] { #expect(!plan.contains("Seq Scan on job"), "\(plan)") }
        #expect(plans[0].contains("job_suspect") && plans[1].contains("job_suspect"), "\(plans[0])\n\(plans[1])")
        #expect(plans[2].contains("job_waiting") && !plans[2].contains("job_suspect"), "\(plans[2])")
    }
}
