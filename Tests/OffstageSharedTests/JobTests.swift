import Foundation
import Offstage
import PostgresCluster
import Testing

@testable import OffstageShared

struct JobTests {
    @Test("another node draws submitted jobs, and the client finds the pictures")
    func remote() async throws {
        let address = try await Cluster.shared.initialized()
        let (client, node) = (try await TestNode(address, slots: 0), try await TestNode(address))
        node.work()
        await withTaskGroup(of: SharedOutcome.self) { group in
            for number in 0..<50 { group.addTask { await client.shelf.drawn(client.submission(number)) } }
            for await outcome in group { #expect(outcome == .drawn) }
        }
        for number in 0..<50 { #expect(try await client.bytes(number) != nil) }
        #expect(client.engine.drawn.isEmpty)
        #expect(node.engine.drawn.values.allSatisfy { $0 == 1 } && node.engine.drawn.count == 50)
        await client.stop()
        await node.stop()
        #expect(try await SharedDatabase(address).nodes() == [])
        #expect(try await SharedDatabase(address).statistics().jobs == [])
    }

    @Test("a node that already has the picture shares it")
    func stored() async throws {
        let address = try await Cluster.shared.initialized()
        let (client, node) = (try await TestNode(address, slots: 0), try await TestNode(address))
        let bytes = try await node.bytes(1)
        await node.shelf.finishes.finish()
        #expect(try await SharedDatabase(address).trim(to: 0) == 1)
        node.work()
        #expect(await client.shelf.drawn(client.submission(1)) == .drawn)
        #expect(try await client.bytes(1) == bytes)
        #expect(node.engine.drawn == [1: 1] && client.engine.drawn.isEmpty)
        await client.stop()
        await node.stop()
    }

    @Test("the client gets the drawing's errors, and a class without a machine is refused at once")
    func failures() async throws {
        let address = try await Cluster.shared.initialized()
        let client = try await TestNode(address, slots: 0)
        #expect(await client.shelf.drawn(client.submission(1)) == .noSuchMachine)
        let node = try await TestNode(address)
        node.work()
        #expect(
            await client.shelf.drawn(client.submission(404))
                == .failed(.unusable(SourceProblem("not-well-formed", "it is not well-formed"))))
        #expect(await client.shelf.drawn(client.submission(666)) == .failed(.engineCrashed))
        #expect(await client.shelf.drawn(client.submission(666)) == .failed(.engineCrashed))
        #expect(node.engine.drawn == [404: 1, 666: 1])
        // A failed job is tried again; a dead one is not.
        _ = await client.shelf.drawn(client.submission(404))
        #expect(node.engine.drawn == [404: 2, 666: 1])
        await client.stop()
        await node.stop()
    }

    @Test("jobs are ordered by priority, and clients take turns according to their shares")
    func turns() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        func submit(_ numbers: [Int], _ client: String, share: Int = 1, priority: Int = 0) async {
            _ = await node.shelf.submit(
                numbers.map {
                    .init(
                        key: Digest(of: "\($0)"), request: Data("\($0)".utf8), client: client, share: share,
                        priority: priority)
                })
        }
        await submit(Array(0..<200), "bulk")
        await submit(Array(1000..<1010), "small")
        await submit(Array(2000..<2010), "large", share: 2)
        await submit([3000], "bulk", priority: 1)
        var order: [Int] = []
        while order.count < 40 {
            let jobs = await node.shelf.claimJobs(
                ClaimPlan(window: 4, running: 0, free: 4, suspects: 0, isAlone: false))
            if jobs.isEmpty { break }
            order += jobs.sorted { $0.priority > $1.priority }.compactMap {
                Int(String(decoding: $0.request, as: UTF8.self))
            }
        }
        #expect(order.first == 3000)
        // For every two turns of the large client, the others have one each.
        let first = order[1..<21]
        #expect((9...11).contains(first.count { $0 >= 2000 && $0 < 3000 }), "\(order)")
        #expect((4...6).contains(first.count { $0 >= 1000 && $0 < 2000 }), "\(order)")
        await node.stop()
    }

    @Test("a withdrawn request is removed unless another client wants it")
    func cancelling() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        _ = await one.shelf.submit((0..<500).map { one.submission($0) })
        _ = await other.shelf.submit([other.submission(3)])
        await one.shelf.withdraw((0..<500).map { one.key($0) })
        let jobs = try await SharedDatabase(address).statistics().jobs
        #expect(jobs.map(\.count) == [1] && jobs[0].state == "waiting")
        await other.stop()
        // When a client ends, all its requests are withdrawn.
        #expect(try await SharedDatabase(address).statistics().jobs == [])
        await one.stop()
    }

    @Test("a node claims jobs for its sources, and a source that no node draws is refused")
    func sources() async throws {
        let address = try await Cluster.shared.initialized()
        let pages = try await TestNode(address, sources: ["ink", "pdf"])
        #expect(
            await pages.shelf.submit([pages.submission(1, source: "html")])[pages.key(1)]
                == .success("no-such-machine"))
        let all = try await TestNode(address)
        for (number, source) in [(1, "html"), (2, "pdf"), (3, ""), (4, "ink"), (5, "sound")] {
            #expect(
                await pages.shelf.submit([pages.submission(number, source: source)])[pages.key(number)]
                    == .success("waiting"))
        }
        let plan = ClaimPlan(window: 9, running: 0, free: 9, suspects: 0, isAlone: false)
        try await pages.shelf.beat(takesOver: false)
        #expect(pages.shelf.statistics.waiting == 3)
        #expect(Set(await pages.shelf.claimJobs(plan).map(\.key)) == Set([2, 3, 4].map { pages.key($0) }))
        #expect(await pages.shelf.claimJobs(plan).isEmpty)
        try await all.shelf.beat(takesOver: false)
        #expect(all.shelf.statistics.waiting == 2)
        #expect(Set(await all.shelf.claimJobs(plan).map(\.key)) == Set([1, 5].map { pages.key($0) }))
        #expect(try await SharedDatabase(address).nodes().compactMap(\.sources) == [["ink", "pdf"]])
        await pages.stop()
        await all.stop()
    }

    @Test("a failed job is drawn again with the newest request")
    func newestRequest() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        var submission = node.submission(1)
        let plan = ClaimPlan(window: 1, running: 0, free: 1, suspects: 0, isAlone: false)
        _ = await node.shelf.submit([submission])
        let job = try #require(await node.shelf.claimJobs(plan).first)
        await node.shelf.end(job, .empty)
        await node.shelf.finishes.finish()
        submission.request = Data("with files".utf8)
        #expect(await node.shelf.submit([submission])[submission.key] == .success("waiting"))
        #expect(await node.shelf.claimJobs(plan).map(\.request) == [submission.request])
        await node.stop()
    }

    @Test("a suspension stops all nodes, but immediate requests continue")
    func suspension() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        try await node.shelf.suspend("list", seconds: 60)
        var immediate = node.submission(2)
        immediate.isImmediate = true
        _ = await node.shelf.submit([node.submission(1), immediate])
        let plan = ClaimPlan(window: 4, running: 0, free: 4, suspects: 0, isAlone: false)
        #expect(await node.shelf.claimJobs(plan).map(\.key) == [node.key(2)])
        try await node.shelf.suspend("list", seconds: 0)
        #expect(await node.shelf.claimJobs(plan).map(\.key) == [node.key(1)])
        await node.stop()
    }

    @Test("jobs of a silent node go to other nodes, one at a time, and are dead after the third loss")
    func takeover() async throws {
        let address = try await Cluster.shared.initialized()
        // The nodes' own heartbeats would interfere with those of the test.
        let (lost, node) = (try await TestNode(address, lives: false), try await TestNode(address, lives: false))
        let database = SharedConnection(address, name: "test")
        _ = await node.shelf.submit([node.submission(1), node.submission(2)])
        let plan = ClaimPlan(window: 4, running: 0, free: 4, suspects: 0, isAlone: false)
        for crashes in 0..<3 {
            let isAlone = crashes > 0
            var taken = 0
            // A job that must be drawn alone is claimed alone.
            for _ in 0..<(isAlone ? 2 : 1) {
                taken += await lost.shelf.claimJobs(
                    ClaimPlan(window: 4, running: 0, free: 4, suspects: isAlone ? 2 : 0, isAlone: false)
                ).count
            }
            #expect(taken == 2)
            // Jobs that have cost a process are not for nodes that draw other jobs at the same time.
            #expect(await node.shelf.claimJobs(plan).isEmpty)
            let id = lost.shelf.identity.id
            try await database.run { (session) throws(SharedError) in
                _ = try session.run(
                    "UPDATE offstage.node SET seen = now() - interval '11 s' WHERE id = $1", [.text(id)])
            }
            // A node that has just joined does not declare others lost.
            try await node.shelf.beat(takesOver: false)
            #expect(node.shelf.statistics.takenOver == 2 * crashes)
            try await node.shelf.beat(takesOver: true)
        }
        #expect(try await SharedDatabase(address).deadJobs().map(\.crashes) == [3, 3])
        #expect(node.shelf.statistics.takenOver == 6)
        await lost.stop()
        await node.stop()
    }

    @Test("the number of jobs that a node may claim")
    func plans() {
        #expect(ClaimPlan(window: 4, running: 1, free: 4, suspects: 0, isAlone: false).count == 3)
        #expect(ClaimPlan(window: 4, running: 1, free: 2, suspects: 0, isAlone: false).count == 2)
        #expect(ClaimPlan(window: 4, running: 5, free: 2, suspects: 0, isAlone: false).count == 0)
        // For a suspect job, the node first finishes its other jobs, and then draws nothing else.
        #expect(ClaimPlan(window: 4, running: 1, free: 2, suspects: 1, isAlone: false).count == 0)
        let alone = ClaimPlan(window: 4, running: 0, free: 2, suspects: 3, isAlone: false)
        #expect(alone.count == 1 && alone.isAlone)
        #expect(ClaimPlan(window: 4, running: 1, free: 3, suspects: 2, isAlone: true).count == 0)
    }

    @Test("only a node with a series of heartbeats declares others lost")
    func series() {
        var series = BeatSeries()
        let start = ContinuousClock.now
        func beat(_ seconds: Double) -> Bool { series.mayTakeOver(at: start + .seconds(seconds)) }
        #expect([0, 2, 4, 6, 8].map(beat) == [false, false, false, false, false])
        #expect([10, 12].map(beat) == [true, true])
        // The node was stopped for a while.
        #expect([40, 42, 44, 46, 48, 50].map(beat) == [false, false, false, false, false, true])
        series.end()
        #expect(!beat(52))
    }

    @Test("the final state of a job")
    func ends() {
        #expect(JobEnd(.engineCrashed).state == "dead")
        // Losing processes that never had the document does not count against it.
        let early = ProcessLoss(.crashed, blame: .nobody, isAlone: true).error
        #expect(JobEnd(early).state == "failed")
        #expect(JobEnd(.empty).state == "failed" && JobEnd(.empty).crashes == 0)
        #expect(JobEnd(.cancelled).state == "waiting" && JobEnd(.finished).reason == nil)
        #expect((0..<4).map { JobEnd(nodeLostAfter: $0).state } == ["waiting", "waiting", "dead", "dead"])
    }
}
