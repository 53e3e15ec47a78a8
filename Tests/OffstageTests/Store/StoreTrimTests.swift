import Foundation
import Testing

@testable import Offstage

/// The least recently used pictures are evicted first, early enough, and no more of them than needed.
struct StoreTrimTests {
    private let test: TestStore
    private let clock = TestClock()
    init() throws { test = try TestStore() }

    private func fill(_ store: PictureStore, _ numbers: Range<Int>, count: Int = 20_000) async {
        for number in numbers { await store.store(.sample("\(number)", count: count), for: .full("\(number)")) }
    }

    @Test func theLimitHoldsWithinATwentieth() async throws {
        let limit = 4 << 20
        let store = test.open(limits: StoreLimits(bytes: limit, freeBytes: 0), clock: clock)
        await fill(store, 0..<400)
        await store.trim()
        try test.checkpoint()
        let size = try test.bytes().count
        #expect(size <= limit * 21 / 20, "\(size)")
        #expect(size >= limit * 17 / 20, "\(size)")
        // The last pictures are left.
        let left = Set(await store.entries().map(\.key.identifier))
        #expect(left == Set((400 - left.count..<400).map(String.init)))
        #expect(test.events.evicted == (0..<400 - left.count).map(String.init))
        #expect(store.counters.evicted == 400 - left.count)
        #expect(await store.verify().isWhole)
    }

    /// On a busy machine, the background task may get no time.
    @Test func theLimitHoldsThoughTheBackgroundIsLate() async {
        let limit = 4 << 20
        let store = test.open(limits: StoreLimits(bytes: limit, freeBytes: 0), clock: clock)
        store.trimming.withLock { $0 = Trimming(hasLooked: true, isUnderWay: true) }
        await fill(store, 0..<700)
        // The pictures take 14 MB.
        let left = await store.entries().count
        #expect((150...220).contains(left), "\(left)")
    }

    @Test func largePicturesCount() async {
        let limit = 8 << 20
        let store = test.open(limits: StoreLimits(bytes: limit, freeBytes: 0), clock: clock)
        await fill(store, 0..<30, count: 600 << 10)
        await store.trim()
        #expect(test.largeFiles.count == 12)
        #expect(await store.picture(for: .full("29")) != nil)
        #expect(await store.picture(for: .full("17")) == nil)
    }

    /// A hit protects a picture from eviction, even if it was before the program restarted.
    @Test func whatIsUsedStays() async {
        let limits = StoreLimits(bytes: 4 << 20, freeBytes: 0)
        let store = test.open(limits: limits, clock: clock)
        await fill(store, 0..<150)
        #expect(await store.picture(for: .full("3")) != nil)
        store.touch([.full("5")])
        await store.finish()
        let next = test.open(limits: limits, clock: clock)
        await fill(next, 150..<250)
        await next.trim()
        let left = await next.records(for: ["2", "3", "4", "5"].map { .full($0) })
        #expect(Set(left.keys.map(\.identifier)) == ["3", "5"])
    }

    @Test func whatWasNotUsedForLong() async {
        let store = test.open(limits: StoreLimits(age: 1000, freeBytes: 0), clock: clock)
        await fill(store, 0..<10)
        clock.pass(900)
        #expect(await store.picture(for: .full("4")) != nil)
        clock.pass(200)
        await fill(store, 10..<12)
        await store.trim()
        #expect(await store.entries().map(\.key.identifier) == ["10", "11", "4"])
    }

    /// When the disk is nearly full, the cache shrinks first, down to nothing if necessary.
    @Test func aDiskThatIsNearlyFull() async throws {
        await fill(test.open(clock: clock), 0..<100)
        try test.checkpoint()
        #expect(try test.bytes().count > 2_000_000)
        // Other programs have used all the space except 1 MiB.
        let disk = try test.bytes().count + (1 << 20)
        let path = test.databasePath
        let store = test.open(limits: StoreLimits(freeBytes: 2 << 20), clock: clock) {
            ["", "-wal"].reduce(disk) { rest, end in
                var info = stat()
                return stat(path + end, &info) == 0 ? rest - Int(info.st_size) : rest
            }
        }
        await store.trim()
        let left = await store.entries().count
        #expect((25...60).contains(left), "\(left)")
        // The disk gets the space back before the database is closed.
        #expect(try test.bytes().count < 1_500_000)
        #expect(store.isAvailable)
        await test.open(limits: StoreLimits(freeBytes: 1 << 40), clock: clock) { 0 }.trim()
        #expect(await store.entries().isEmpty)
    }

    /// Events report that the cache or the disk is too small, but not once per picture.
    @Test func evictionsAreReportedOnceAMinute() async {
        let still = TestClock(step: 0)
        let store = test.open(limits: StoreLimits(bytes: 1 << 20, freeBytes: 0), clock: still)
        await fill(store, 0..<100)
        await store.trim()
        await fill(store, 100..<200)
        await store.trim()
        #expect(test.events.evictions.count == 1)
        still.pass(61)
        await fill(store, 200..<250)
        await store.trim()
        let told = test.events.evictions
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.reason == .limit(1 << 20) })
        // The rest is reported at the end, so that the sums are complete.
        await store.finish()
        let all = test.events.evictions
        #expect(all.reduce(0) { $0 + $1.pictures } == store.counters.evicted)
        #expect(all.reduce(0) { $0 + $1.bytes } == store.counters.evictedBytes)
        #expect(store.counters.evictedBytes == store.counters.evicted * 20_000)
        #expect(
            "\(StoreEvictions(folder: "/c", pictures: 1, bytes: 20_000, reason: .littleSpace(536_870_912)))"
                == "the cache /c evicted 1 picture (0.0 MB): the disk has less than 536.9 MB left")
    }

    @Test func aPictureOverATenthIsNotKept() async {
        let store = test.open(limits: StoreLimits(bytes: 100_000, freeBytes: 0))
        #expect(await !store.store(.sample("a", count: 10_001), for: .full("a")))
        #expect(await store.store(.sample("b", count: 10_000), for: .full("b")))
        #expect(test.events.all == [.dropped(.full("a"))])
        #expect(store.counters.dropped == 1)
    }

    /// A file that a killed process left behind is removed; one that was written just now stays.
    @Test func filesLeftBehind() async throws {
        let store = test.open()
        await store.store(.sample("a", count: 1 << 20), for: .full("a"))
        let kept = test.largeFiles
        let folder = test.path + "/large/ab/"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["\(Digest(of: "x"))", ".offstage-1-1.tmp"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder + name))
        }
        await test.open(clock: clock).trim()
        #expect(test.largeFiles.count == kept.count + 2)
        let later = TestClock()
        later.pass(Date().timeIntervalSince1970 - 1_700_000_000 + 7200)
        await test.open(limits: StoreLimits(age: nil, freeBytes: 0), clock: later).trim()
        #expect(test.largeFiles == kept)
    }
}
