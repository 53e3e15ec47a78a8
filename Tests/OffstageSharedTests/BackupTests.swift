import Foundation
import Offstage
import PostgresCluster
import Testing

@testable import OffstageShared

struct BackupTests {
    private func picture(_ byte: UInt8) -> StoredPicture {
        StoredPicture(
            data: Data(repeating: byte, count: 1000),
            info: PictureInfo(
                fingerprint: Fingerprint.Builder().build(), format: "png", size: PixelSize(width: 3, height: 4),
                scale: 1,
                isOpaque: true))
    }

    @Test(
        "after an older backup is restored, all nodes return its pictures or draw them again"
    )
    func older() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        let old = try await one.bytes(1)
        _ = try await one.shelf.put(picture(1), as: "kept", over: .any)
        _ = try await one.shelf.put(picture(9), as: "removed", over: .any)
        await one.shelf.finishes.finish()
        let file = Cluster.shared.folder + "/" + UUID().uuidString
        Cluster.shared.dump(address.description, to: file)

        let new = try await one.bytes(2)
        _ = try await one.shelf.put(picture(2), as: "kept", over: .any)
        _ = try await one.shelf.put(picture(3), as: "later", over: .any)
        _ = try await one.shelf.remove("removed", .any)
        await one.shelf.finishes.finish()
        #expect(try await SharedDatabase(address).statistics().pictures == 2)
        Cluster.shared.restore(file, into: address.description)

        // Pictures acknowledged after the backup are missing, and pictures removed after it are back. All nodes agree
        // on this.
        let third = try await TestNode(address)
        for node in [one, other, third] {
            #expect(try await node.shelf.picture(of: "kept") == picture(1))
            #expect(try await node.shelf.content(of: "later") == nil)
            #expect(try await node.shelf.picture(of: "removed") == picture(9))
        }
        #expect(try await third.bytes(1) == old && third.engine.drawn[1] == nil)
        #expect(try await third.bytes(2) == new && third.engine.drawn[2] == 1)
        #expect(try await other.bytes(2) == new)
        // Writing continues.
        _ = try await other.shelf.put(picture(4), as: "kept", over: .any)
        #expect(try await one.shelf.picture(of: "kept") == picture(4))
        for node in [one, other, third] { await node.stop() }
        let statistics = try await SharedDatabase(address).statistics()
        #expect(statistics.pictures == 2 && statistics.jobs == [] && statistics.counters["mismatch"] == nil)
    }

    @Test("jobs from a backup that other nodes had claimed are taken over, and clients that have ended are noticed")
    func jobs() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address, lives: false)
        let states = await node.shelf.submit([node.submission(1), node.submission(2)])
        #expect(states.count == 2)
        let claimed = await node.shelf.claimJobs(
            ClaimPlan(window: 1, running: 0, free: 1, suspects: 0, isAlone: false))
        #expect(claimed.count == 1)
        let file = Cluster.shared.folder + "/" + UUID().uuidString
        Cluster.shared.dump(address.description, to: file)
        await node.stop()
        Cluster.shared.restore(file, into: address.description)
        // Make the backup look older than a lease.
        let connection = SharedConnection(address, name: "test", isForInit: true)
        try await connection.run { (session) throws(SharedError) in
            try session.execute("UPDATE offstage.node SET seen = now() - interval '1 hour'")
        }
        let successor = try await TestNode(address, lives: false)
        try await successor.shelf.beat(takesOver: true)
        #expect(successor.shelf.statistics.takenOver == 1)
        // No client waits for them any more.
        #expect(try await SharedDatabase(address).statistics().jobs == [])
        await successor.stop()
    }
}
