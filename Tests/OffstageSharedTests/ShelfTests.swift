import Foundation
import Offstage
import PostgresCluster
import Testing

@testable import OffstageShared

struct ShelfTests {
    @Test("a picture from one node is a hit at another node under any identifier, even if it is large")
    func hit() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        for number in [1, 4] {
            let bytes = try await one.bytes(number)
            // Returns when everything has been stored and shared.
            await one.shelf.finishes.finish()
            #expect(try await other.bytes(number, as: "another/\(number)") == bytes)
            #expect(other.engine.drawn[number] == nil)
            // Now the picture is in the node's own store.
            let looks = other.shelf.statistics.looks
            #expect(try await other.bytes(number, as: "another/\(number)") == bytes)
            #expect(other.shelf.statistics.looks == looks)
        }
        #expect(try await SharedDatabase(address).statistics().pictures == 2)
        await one.stop()
        await other.stop()
    }

    @Test("nodes of another class do not share pictures, nor do requests whose files differ")
    func strangers() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (
            try await TestNode(address), try await TestNode(address, machineClass: "other")
        )
        _ = try await one.bytes(1)
        await one.shelf.finishes.finish()
        _ = try await other.bytes(1)
        #expect(other.engine.drawn[1] == 1)
        let third = try await TestNode(address)
        third.engine.file.withLock { $0 = "b" }
        let first = try await one.bytes(-1)
        await one.shelf.finishes.finish()
        let second = try await third.bytes(-1)
        #expect(first != second && third.engine.drawn[-1] == 1)
        await third.shelf.finishes.finish()
        // Both pictures are stored, each for requests with its file.
        let fourth = try await TestNode(address)
        #expect(try await fourth.bytes(-1) == first)
        fourth.engine.file.withLock { $0 = "b" }
        #expect(try await fourth.bytes(-1) == second)
        #expect(fourth.engine.drawn.isEmpty)
        for node in [one, other, third, fourth] { await node.stop() }
    }

    @Test("1000 equal requests at 3 nodes cause one drawing")
    func coalescing() async throws {
        let address = try await Cluster.shared.initialized()
        let engine = NodeEngine()
        var nodes: [TestNode] = []
        for _ in 0..<3 { nodes.append(try await TestNode(address, engine: engine)) }
        let all = nodes
        let pictures = try await withThrowingTaskGroup(of: Data?.self) { group in
            for index in 0..<1000 { group.addTask { try await all[index % 3].bytes(7, as: "row/\(index)") } }
            var pictures = Set<Data?>()
            for try await one in group { pictures.insert(one) }
            return pictures
        }
        #expect(engine.drawn == [7: 1])
        #expect(pictures.count == 1 && pictures.first != nil)
        for node in nodes { await node.stop() }
        #expect(try await SharedDatabase(address).statistics().jobs == [])
        let counters = try await SharedDatabase(address).statistics().counters
        #expect(counters == [:])
    }

    @Test("a document that ends its processes is not tried at another node until an operator releases it")
    func poison() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        await #expect(throws: RenderError(identifier: "document/666", reason: .engineCrashed)) {
            try await one.bytes(666)
        }
        await one.shelf.finishes.finish()
        await #expect(throws: RenderError(identifier: "document/666", reason: .engineCrashed)) {
            try await other.bytes(666)
        }
        #expect(other.engine.drawn.isEmpty)
        let dead = try await SharedDatabase(address).deadJobs()
        #expect(dead.map(\.key) == [one.key(666)] && dead[0].crashes == 2)
        #expect(try await SharedDatabase(address).retry(dead[0].key) == 1)
        await #expect(throws: RenderError.self) { try await other.bytes(666) }
        #expect(other.engine.drawn == [666: 1])
        await one.stop()
        await other.stop()
    }

    /// Makes dead letters look older.
    private func age(_ address: SharedAddress, by interval: String) async throws {
        let database = SharedConnection(address, name: "test")
        try await database.run { (session) throws(SharedError) in
            _ = try session.run(
                "UPDATE offstage.job SET changed = changed - $1::text::interval WHERE state = 'dead'", [.text(interval)]
            )
        }
        await database.close()
    }

    @Test("a dead letter is valid for an hour")
    func deadLetterAge() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        await #expect(throws: RenderError.self) { try await one.bytes(666) }
        await one.shelf.finishes.finish()
        try await age(address, by: "59 minutes")
        await #expect(throws: RenderError.self) { try await other.bytes(666) }
        #expect(other.engine.drawn.isEmpty)
        try await age(address, by: "2 minutes")
        #expect(try await SharedDatabase(address).deadJobs().isEmpty)
        // The document ended its processes by accident, and is drawn now.
        other.engine.accidents.withLock { $0 = false }
        #expect(try await other.bytes(666) != nil)
        #expect(other.engine.drawn == [666: 1])
        await other.shelf.finishes.finish()
        #expect(try await one.bytes(666) == other.bytes(666))
        #expect(one.engine.drawn == [666: 1])
        #expect(try await SharedDatabase(address).statistics().jobs == [])
        await one.stop()
        await other.stop()
    }

    @Test("an old dead letter is drawn when a client submits it again")
    func deadLetterSubmitted() async throws {
        let address = try await Cluster.shared.initialized()
        let (client, node) = (try await TestNode(address, slots: 0), try await TestNode(address))
        node.work()
        #expect(await client.shelf.drawn(client.submission(666)) == .failed(.engineCrashed))
        try await age(address, by: "61 minutes")
        node.engine.accidents.withLock { $0 = false }
        #expect(await client.shelf.drawn(client.submission(666)) == .drawn)
        #expect(node.engine.drawn == [666: 2])
        await client.stop()
        await node.stop()
    }

    @Test("a heartbeat removes old finished jobs with their documents")
    func endedJobs() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address, lives: false)
        let plan = ClaimPlan(window: 4, running: 0, free: 4, suspects: 0, isAlone: false)
        _ = await node.shelf.submit([node.submission(1), node.submission(2), node.submission(3)])
        for job in await node.shelf.claimJobs(plan) {
            if job.key != node.key(3) { await node.shelf.end(job, job.key == node.key(1) ? .engineCrashed : .empty) }
        }
        await node.shelf.finishes.finish()
        func states() async throws -> [String] { try await SharedDatabase(address).statistics().jobs.map(\.state) }
        try await node.shelf.beat(takesOver: true)
        #expect(try await states() == ["dead", "failed", "taken"])
        let database = SharedConnection(address, name: "test")
        try await database.run { (session) throws(SharedError) in
            _ = try session.run(
                "UPDATE offstage.job SET changed = now() - interval '61 minutes' WHERE state <> 'taken'")
        }
        await database.close()
        try await node.shelf.beat(takesOver: true)
        #expect(try await states() == ["taken"])
        await node.stop()
    }

    @Test("without PostgreSQL, nodes draw for themselves, and share the pictures later")
    func outage() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        let connection = SharedConnection(address, name: "test", isForInit: true)
        try await connection.run { (session) throws(SharedError) in
            try session.execute("ALTER SCHEMA offstage RENAME TO away")
        }
        #expect(try await node.bytes(1) != nil)
        #expect(!node.shelf.statistics.isWell)
        // The picture waits until the database is available.
        await node.shelf.finishes.finish()
        try await connection.run { (session) throws(SharedError) in
            try session.execute("ALTER SCHEMA away RENAME TO offstage")
        }
        await connection.close()
        // The node's own heartbeat notices that the database is back.
        while !node.shelf.statistics.isWell { try await Task.sleep(for: .milliseconds(20)) }
        let again = try await node.bytes(2)
        await node.shelf.finishes.finish()
        let other = try await TestNode(address)
        #expect(try await other.bytes(2) == again)
        #expect(other.engine.drawn.isEmpty)
        let messages = node.messages.lock.withLock { $0 }
        #expect(messages.count == 2 && messages.last == "pictures are shared again", "\(messages)")
        await node.stop()
        await other.stop()
    }

    @Test("a picture that differs from an earlier one is counted, and the earlier one is kept")
    func mismatch() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        let info = PictureInfo(
            fingerprint: Fingerprint.Builder().build(), format: "png", size: PixelSize(width: 1, height: 1), scale: 1,
            isOpaque: true)
        func drawing(_ text: String) -> SharedDrawing {
            let data = Data(text.utf8)
            return SharedDrawing(parts: [.init(info: info, content: Digest(of: data), data: data)])
        }
        let key = Digest(of: "key")
        for text in ["first", "first", "second"] { node.shelf.keep([(key, drawing(text))], areNew: false) }
        await node.shelf.finishes.finish()
        #expect(await node.shelf.drawings(for: key).map { $0.parts[0].data } == [Data("first".utf8)])
        #expect(node.shelf.statistics.mismatches == 1)
        #expect(try await SharedDatabase(address).statistics().counters == ["mismatch": 1])
        await node.stop()
    }

    @Test("a damaged picture is a miss")
    func damage() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        let bytes = try await one.bytes(1)
        await one.shelf.finishes.finish()
        let connection = SharedConnection(address, name: "test")
        try await connection.run { (session) throws(SharedError) in
            try session.execute(
                "UPDATE offstage.blob SET bytes = set_byte(bytes, 100, (get_byte(bytes, 100) + 1) % 256)")
        }
        #expect(try await other.bytes(1) == bytes)
        #expect(other.engine.drawn == [1: 1])
        await one.stop()
        await other.stop()
    }

    @Test("every node finds the newest picture with an identifier")
    func names() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        func picture(_ byte: UInt8, _ count: Int) -> StoredPicture {
            StoredPicture(
                data: Data(repeating: byte, count: count),
                info: PictureInfo(
                    fingerprint: Fingerprint.Builder().build(), format: "png", size: PixelSize(width: 3, height: 4),
                    scale: 2, isOpaque: false,
                    warnings: [DrawingWarning(.imageBroken, "a\u{0}b", reason: "é")]))
        }
        #expect(try await other.shelf.picture(of: "chat/é") == nil)
        for (byte, count) in [(1, 10), (2, 1_000_000), (3, 0)] as [(UInt8, Int)] {
            #expect(try await one.shelf.put(picture(byte, count), as: "chat/é", over: .any))
            #expect(try await other.shelf.picture(of: "chat/é") == picture(byte, count))
            #expect(try await other.shelf.content(of: "chat/é") == Digest(of: picture(byte, count).data))
        }
        let last = ExpectedPicture.content(Digest(of: Data()))
        #expect(try await !other.shelf.remove("chat/é", .content(Digest(of: Data([1])))))
        #expect(try await !one.shelf.put(picture(4, 10), as: "chat/é", over: .nothing))
        #expect(try await one.shelf.put(picture(5, 10), as: "chat/é", over: last))
        #expect(try await !other.shelf.put(picture(6, 10), as: "chat/é", over: last))
        #expect(try await one.shelf.content(of: "chat/é") == Digest(of: picture(5, 10).data))
        #expect(try await other.shelf.remove("chat/é", .any))
        #expect(try await one.shelf.content(of: "chat/é") == nil)
        // Of several simultaneous changes that expect the same picture, only one succeeds.
        for expected in [ExpectedPicture.nothing, .content(Digest(of: picture(1, 10).data))] {
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<16 {
                    let (shelf, put) = ((number.isMultiple(of: 2) ? one : other).shelf, picture(UInt8(number + 2), 10))
                    group.addTask { try await shelf.put(put, as: "one", over: expected) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 1)
            _ = try await one.shelf.put(picture(1, 10), as: "one", over: .any)
        }
        await one.stop()
        await other.stop()
    }

    @Test("only the owner can replace and remove a picture with an identifier, on every machine")
    func owners() async throws {
        let address = try await Cluster.shared.initialized()
        let (one, other) = (try await TestNode(address), try await TestNode(address))
        func picture(_ byte: UInt8) -> StoredPicture {
            StoredPicture(
                data: Data(repeating: byte, count: 10),
                info: PictureInfo(
                    fingerprint: Fingerprint.Builder().build(), format: "png", size: PixelSize(width: 3, height: 4),
                    scale: 2, isOpaque: false))
        }
        let (a, b) = (
            PinningClient(name: "a", mayChangeOthers: false), PinningClient(name: "b", mayChangeOthers: false)
        )
        func put(_ byte: UInt8, by client: PinningClient, at node: TestNode) async throws -> String {
            let outcome = try await node.shelf.put(
                [("x", picture(byte)), ("peaks", picture(byte + 100))], removing: ["gone"], by: client, over: .any)
            return "\(outcome)"
        }
        _ = try await one.shelf.put(picture(9), as: "gone", over: .any)
        #expect(try await put(1, by: a, at: one) == "done")
        #expect(try await one.shelf.content(of: "gone") == nil)
        #expect(try await other.shelf.owner(of: "x") == PictureOwner(name: "a"))
        #expect(try await put(2, by: b, at: other) == "isForeign")
        #expect(try await "\(other.shelf.remove(["x", "peaks"], by: b, .any))" == "isForeign")
        #expect(try await other.shelf.picture(of: "x") == picture(1))
        #expect(try await other.shelf.picture(of: "peaks") == picture(101))
        #expect(try await put(3, by: a, at: other) == "done")
        // A picture without an owner, such as one stored before owners existed.
        _ = try await one.shelf.put(picture(4), as: "x", over: .any)
        #expect(try await put(5, by: a, at: one) == "isForeign")
        #expect(
            try await "\(one.shelf.remove(["x", "peaks"], by: PinningClient(name: "c", mayChangeOthers: true), .any))"
                == "done")
        #expect(try await other.shelf.owner(of: "x") == nil)
        #expect(try await other.shelf.content(of: "peaks") == nil)
        // If several clients put the first picture at the same time, one of them owns it.
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                let (node, name) = (number.isMultiple(of: 2) ? one : other, "client \(number)")
                group.addTask {
                    let client = PinningClient(name: name, mayChangeOthers: false)
                    return "\(try await node.shelf.put([("y", picture(1))], removing: [], by: client, over: .any))"
                        == "done"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
        await one.stop()
        await other.stop()
    }

    @Test("trimming removes old and surplus pictures, but never pictures that are being stored")
    func trimming() async throws {
        let address = try await Cluster.shared.initialized()
        let node = try await TestNode(address)
        for number in 0..<4 { _ = try await node.bytes(number) }
        await node.stop()
        let database = SharedDatabase(address)
        let size = try await database.statistics().pictureBytes / 4
        #expect(try await database.trim(olderThan: 1) == 0)
        #expect(try await database.trim(to: 2 * size + size / 2) == 2)
        #expect(try await database.statistics().pictures == 2)
        let connection = SharedConnection(address, name: "test")
        func blobs() async throws -> Int {
            try await connection.run { (session) throws(SharedError) in
                var count = 0
                try session.run("SELECT count(*) FROM offstage.blob") { count = $0.integer(0) }
                return count
            }
        }
        #expect(try await blobs() == 4)
        try await connection.run { (session) throws(SharedError) in
            try session.execute("UPDATE offstage.blob SET used = now() - interval '2 hours'")
        }
        #expect(try await database.trim(olderThan: 1) == 0)
        #expect(try await blobs() == 2)
    }
}
