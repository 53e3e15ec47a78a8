import Foundation
import PostgresCluster
import Testing

/// The database that several machines share, and the machines.
enum Machines {
    /// The connection string of a new database with its tables.
    static func database() throws -> String {
        let url = Cluster.shared.database()
        let outcome = try Child([Offstage.path, "shared", "init", url], folder: "/").wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return url
    }

    /// Starts a worker with its own cache and waits until it is ready.
    static func worker(_ url: String, _ options: [String] = [], in folder: Folder) throws -> Child {
        let child = try Child(
            [Offstage.path, "work", "--shared", url, "--cache", "cache-worker", "-j", "1"] + options,
            folder: folder.path)
        #expect(eventually { child.hasEnded || child.text(1).contains("working for class") })
        #expect(!child.hasEnded, "\(child.text(1))")
        return child
    }

    static func stop(_ child: Child) throws {
        kill(child.id, SIGTERM)
        #expect(try child.wait().code == 0)
    }

    /// The number of waiting jobs.
    static func waiting(_ url: String) throws -> Int {
        let stats = try Child([Offstage.path, "shared", "stats", url, "--json"], folder: "/").wait().objects
        let jobs = stats.first?["jobs"] as? [[String: Any]] ?? []
        return jobs.filter { $0["state"] as? String == "waiting" }.compactMap { $0["count"] as? Int }.reduce(0, +)
    }

    /// The rows that a statement returns.
    @discardableResult
    static func query(_ url: String, _ statement: String) throws -> [String] {
        let outcome = try Child(["/usr/bin/env", "psql", "-XAtq", "-c", statement, url], folder: "/").wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return outcome.text.split(separator: "\n").map(String.init)
    }

    /// Keeps all machines from taking jobs until `resume`.
    static func suspend(_ url: String) throws {
        try query(url, "INSERT INTO offstage.suspension VALUES ('test', NULL, now() + interval '1 hour')")
    }

    static func resume(_ url: String) throws { try query(url, "DELETE FROM offstage.suspension") }
}
