import Offstage
import PostgresCluster
import Testing

@testable import OffstageShared

/// Jobs belong to a class. `ShelfTests.strangers` tests that pictures do, too.
struct ClassTests {
    @Test("a node claims no jobs of another class")
    func jobs() async throws {
        let address = try await Cluster.shared.initialized()
        let client = try await TestNode(address, slots: 0)
        let (same, other) = (
            try await TestNode(address), try await TestNode(address, machineClass: "other")
        )
        #expect(await client.shelf.submit([client.submission(1)])[client.key(1)] == .success("waiting"))
        let plan = ClaimPlan(window: 9, running: 0, free: 9, suspects: 0, isAlone: false)
        #expect(await other.shelf.claimJobs(plan).isEmpty)
        #expect(await same.shelf.claimJobs(plan).map(\.key) == [client.key(1)])
        for node in [client, same, other] { await node.stop() }
    }
}
