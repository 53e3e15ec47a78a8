import Foundation
import Synchronization
import Testing

@testable import Offstage

/// Pictures that clients have PUT are never evicted. If there is no room for one, it is refused at once.
struct StorePinTests {
    private let test: TestStore
    private let clock = TestClock()
    init() throws { test = try TestStore() }

    private let client = PinningClient(name: nil, mayChangeOthers: true)

    private func key(_ name: some CustomStringConvertible) -> PictureKey {
        PictureKey("//v1/images/\(name)", variant: "put")
    }

    private func pin(_ store: PictureStore, _ name: String, count: Int = 20_000) async -> PinOutcome {
        await store.pin([(key(name), .sample("put \(name)", count: count))], by: client)
    }

    private func draw(_ store: PictureStore, _ numbers: Range<Int>) async {
        for number in numbers { await store.store(.sample("\(number)", count: 20_000), for: .full("\(number)")) }
    }

    @Test func nothingEvictsThem() async {
        let limits = StoreLimits(bytes: 4 << 20, freeBytes: 0)
        let store = test.open(limits: limits, clock: clock)
        for number in 0..<40 { #expect(await pin(store, "\(number)").isDone) }
        let peaks = PictureKey("//v1/images/0", variant: "put-peaks")
        #expect(
            await store.pin([(key("0"), .sample("put 0", count: 20_000)), (peaks, .sample("peaks"))], by: client).isDone
        )
        // Trim to the size limit, in the background and on request.
        await draw(store, 0..<400)
        await store.trim()
        #expect(store.counters.evicted > 200)
        // Evict by age.
        clock.pass(91 * 86_400)
        await store.trim()
        // Evict because of low disk space.
        await draw(store, 0..<5)
        let short = test.open(limits: StoreLimits(freeBytes: 1 << 40), clock: clock) { 0 }
        await short.trim()
        _ = await short.verify()
        let left = await short.entries().map(\.key)
        #expect(Set(left) == Set((0..<40).map { key($0) } + [peaks]))
        for number in 0..<40 {
            #expect(await short.picture(for: key(number)) == .sample("put \(number)", count: 20_000))
        }
        #expect(!test.events.evicted.contains { $0.hasPrefix("//v1/images/") })
        let statistics = await short.statistics()
        #expect(statistics.pinned == 41)
        #expect(statistics.pinnedBytes == 40 * 20_000 + 1000)
        #expect(statistics.oldestUse == nil)
    }

    @Test func drawingsGiveWay() async throws {
        let limit = 4 << 20
        let store = test.open(limits: StoreLimits(bytes: limit, freeBytes: 0), clock: clock)
        await draw(store, 0..<190)
        // Pin pictures that need far more space than the limit leaves free, both in the database and in files.
        for number in 0..<3 { #expect(await pin(store, "\(number)", count: 400_000).isDone) }
        let used = try test.number("PRAGMA page_count") - test.number("PRAGMA freelist_count")
        #expect(used * 8192 <= limit + 65_536, "\(used)")
        #expect(await store.picture(for: .full("0")) == nil)
        #expect(await store.picture(for: .full("189")) != nil)
    }

    /// When the store is full, earlier pictures stay and the new one is not stored.
    @Test func aFullLimitIsRefused() async {
        let store = test.open(limits: StoreLimits(bytes: 2 << 20, freeBytes: 0), clock: clock)
        var count = 0
        var outcome = PinOutcome.done
        while outcome.isDone, count < 100 {
            await draw(store, count..<count + 1)
            outcome = await pin(store, "\(count)", count: 100_000)
            if outcome.isDone { count += 1 }
        }
        guard case .refused(.noRoom(.limit(2_097_152))) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect((15...20).contains(count), "\(count)")
        for number in 0..<count { #expect(await store.picture(for: key(number)) != nil) }
        #expect(await store.picture(for: key(count)) == nil)
        // Replacing a picture needs no more space, and removing one frees its space.
        #expect(await store.pin([(key(0), .sample("new", count: 100_000))], by: client).isDone)
        #expect(await store.picture(for: key(0)) == .sample("new", count: 100_000))
        #expect(await store.unpin([key(1)], by: client).isDone)
        #expect(await pin(store, "other", count: 100_000).isDone)
        #expect(await store.verify().isWhole)
    }

    @Test func littleSpaceIsRefusedUntilThereIsRoom() async {
        let free = Mutex(10 << 20)
        let store = test.open(limits: StoreLimits(freeBytes: 8 << 20), clock: clock) { free.withLock { $0 } }
        #expect(await pin(store, "a").isDone)
        await draw(store, 0..<50)
        free.withLock { $0 = 1 << 20 }
        guard case .refused(.noRoom(.littleSpace(8_388_608))) = await pin(store, "b") else {
            Issue.record("it was stored")
            return
        }
        #expect(await store.entries().map(\.key) == [key("a")])
        free.withLock { $0 = 10 << 20 }
        #expect(await pin(store, "b").isDone)
    }

    /// A disk that is smaller than the space kept free on large disks can still store pictures.
    @Test func aSmallDiskLeavesATenth() async {
        let store = test.open(limits: StoreLimits(), clock: clock, disk: 300 << 20) { 100 << 20 }
        #expect(await pin(store, "a").isDone)
        await draw(store, 0..<5)
        await store.trim()
        #expect(await store.entries().count == 6)
        let full = test.open(limits: StoreLimits(), clock: clock, disk: 300 << 20) { 20 << 20 }
        await full.trim()
        #expect(await full.entries().map(\.key) == [key("a")])
    }

    /// Runs the SQL of an older program, which does not know about pinned pictures.
    @Test func anOlderProgramCannotRemoveThem() async throws {
        let store = test.open(clock: clock)
        #expect(await pin(store, "a").isDone)
        await draw(store, 0..<1)
        #expect(throws: SQLiteError.self) { try test.execute("DELETE FROM picture") }
        #expect(await store.entries().count == 2)
        await store.remove([key("a")])
        #expect(await store.entries().map(\.key) == [.full("0")])
    }

    /// Storing a pinned picture waits until it is safely on the disk; storing a drawing does not.
    @Test func theySurviveAPowerCut() async throws {
        let store = test.open(clock: clock)
        await draw(store, 0..<1)
        try test.execute(
            """
            CREATE TABLE log (a);
            CREATE TRIGGER put AFTER INSERT ON picture BEGIN INSERT INTO log SELECT * FROM pragma_synchronous; END;
            CREATE TRIGGER gone AFTER DELETE ON picture BEGIN INSERT INTO log SELECT * FROM pragma_synchronous; END;
            """)
        let next = test.open(clock: clock)
        await draw(next, 1..<2)
        #expect(await pin(next, "a").isDone)
        #expect(await next.unpin([key("a")], by: client).isDone)
        await draw(next, 2..<3)
        let (normal, full) = (1, 2)
        #expect(
            try (1...4).map { try test.number("SELECT a FROM log WHERE rowid = \($0)") } == [
                normal, full, full, normal,
            ])
    }

    /// A store that was written before pinned pictures existed.
    @Test func thoseOfAnOlderStoreArePinned() async throws {
        let first = test.open(clock: clock)
        for key in [key("a"), PictureKey("//v1/images/a", variant: "put-peaks"), .full("a"), .full("//v1/images/b")] {
            await first.store(.sample("\(key)"), for: key)
        }
        await first.finish()
        try test.execute(StoreSchemaTests.withoutPins + "PRAGMA user_version = 3")
        let store = test.open(limits: StoreLimits(freeBytes: 1 << 40), clock: clock) { 0 }
        await store.trim()
        let left = await store.entries()
        #expect(Set(left.map(\.key.variant)) == ["put", "put-peaks"])
        #expect(await store.picture(for: key("a")) == .sample("\(key("a"))"))
        #expect(await store.statistics().pinned == 2)
        // They have no owner: only a client that may change others' pictures can change them, or any client of a
        // service without tokens.
        let owner = await store.pinned(key("a"))?.owner
        #expect(owner == PictureOwner(name: nil))
        let named = PinningClient(name: "a", mayChangeOthers: false)
        #expect(await store.unpin([key("a")], by: named).isForeign)
        #expect(await store.unpin([key("a")], by: PinningClient(name: nil, mayChangeOthers: false)).isDone)
    }

    @Test func onlyTheOwnerChangesAPicture() async {
        let store = test.open(clock: clock)
        let (one, other) = (
            PinningClient(name: "one", mayChangeOthers: false), PinningClient(name: "other", mayChangeOthers: false)
        )
        let chief = PinningClient(name: "chief", mayChangeOthers: true)
        func put(_ text: String, _ client: PinningClient) async -> PinOutcome {
            await store.pin([(key("a"), .sample(text))], by: client)
        }
        #expect(await put("1", one).isDone)
        #expect(await put("2", other).isForeign)
        #expect(await store.unpin([key("a")], by: other).isForeign)
        #expect(await store.picture(for: key("a")) == .sample("1"))
        #expect(await put("3", one).isDone)
        #expect(await put("4", chief).isDone)
        #expect(await store.pinned(key("a"))?.owner == PictureOwner(name: "chief"))
        #expect(await put("5", one).isForeign)
        #expect(await store.picture(for: key("a")) == .sample("4"))
        #expect(await store.unpin([key("a")], by: chief).isDone)
        #expect(await store.pinned(key("a")) == nil)
        #expect(await put("6", other).isDone)
    }

    /// Two processes share a store; each knows only its own changes.
    @Test func anotherPicturesThanTheExpected() async {
        let stores = [test.open(clock: clock), test.open(clock: clock)]
        let first = StoredPicture.sample("first")
        func put(_ text: String, _ store: PictureStore, _ expected: ExpectedPicture) async -> PinOutcome {
            await store.pin([(key("a"), .sample(text))], by: client, over: expected)
        }
        #expect(await put("first", stores[0], .nothing).isDone)
        #expect(await put("second", stores[1], .nothing).isOther)
        #expect(await put("second", stores[1], .content(Digest(of: first.data))).isDone)
        #expect(await put("third", stores[0], .content(Digest(of: first.data))).isOther)
        #expect(await stores[0].unpin([key("a")], by: client, over: .content(Digest(of: first.data))).isOther)
        #expect(await stores[0].picture(for: key("a")) == .sample("second"))
    }

    /// The peaks of the previous sound do not belong to the new picture.
    @Test func othersAreRemovedInTheSameStep() async {
        let store = test.open(clock: clock)
        let peaks = PictureKey("//v1/images/a", variant: "put-peaks")
        #expect(await store.pin([(key("a"), .sample("1")), (peaks, .sample("peaks"))], by: client).isDone)
        #expect(await store.pin([(key("a"), .sample("2"))], removing: [peaks], by: client).isDone)
        #expect(await store.entries().map(\.key) == [key("a")])
    }
}

extension PinOutcome {
    var isDone: Bool { if case .done = self { true } else { false } }
    var isForeign: Bool { if case .isForeign = self { true } else { false } }
    var isOther: Bool { if case .isOther = self { true } else { false } }
}
