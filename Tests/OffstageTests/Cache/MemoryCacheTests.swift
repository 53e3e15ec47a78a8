import Offstage
import Synchronization
import Testing

/// Pictures in memory. In these tests, a value is its own cost.
struct MemoryCacheTests {
    private func key(_ name: String) -> PictureKey { PictureKey(name, variant: "full") }

    private func cache(_ bytes: Int, count: Int? = nil, evictions: Evictions = Evictions()) -> MemoryCache<Int> {
        MemoryCache(
            limits: MemoryCacheLimits(bytes: bytes, count: count), cost: { $0 },
            onEvict: { key, value, reason in evictions.note("\(key.identifier) \(value) \(reason)") })
    }

    @Test func aValueIsFoundAndReplaced() {
        let cache = cache(100)
        #expect(cache.value(for: key("a")) == nil)
        cache.insert(5, for: key("a"))
        cache.insert(6, for: PictureKey("a", variant: "thumb"))
        #expect(cache.value(for: key("a")) == 5)
        cache.insert(7, for: key("a"))
        #expect(cache.value(for: key("a")) == 7)
        #expect(cache.bytes == 13)
        #expect(cache.count == 2)
        cache.remove(key("a"))
        #expect(cache.value(for: key("a")) == nil)
        #expect(cache.bytes == 6)
    }

    @Test func theLeastRecentlyUsedLeavesFirst() {
        let evictions = Evictions()
        let cache = cache(100, evictions: evictions)
        for name in "abcdefghij" { cache.insert(10, for: key("\(name)")) }
        #expect(cache.value(for: key("a")) == 10)
        cache.insert(10, for: key("b"))
        cache.insert(5, for: key("k"))
        cache.insert(10, for: key("l"))
        #expect(evictions.all == ["c 10 limit", "d 10 limit"])
        #expect(cache.bytes == 95)
    }

    /// Unlike `NSCache`, it does not prefer the cheapest values or spare the costliest.
    @Test func costDoesNotDecideWhoLeaves() {
        let cache = cache(100)
        cache.insert(10, for: key("large"))
        for number in 0..<91 { cache.insert(1, for: key("\(number)")) }
        #expect(cache.value(for: key("large")) == nil)
        #expect(cache.value(for: key("0")) == 1)
        #expect(cache.count == 91)
    }

    @Test func theCountIsALimitToo() {
        let cache = cache(1000, count: 3)
        for name in ["a", "b", "c", "d"] { cache.insert(1, for: key(name)) }
        #expect(["a", "b", "c", "d"].map { cache.value(for: key($0)) } == [nil, 1, 1, 1])
    }

    @Test func oneValueTakesATenthAtMost() {
        let evictions = Evictions()
        let cache = cache(100, evictions: evictions)
        cache.insert(10, for: key("a"))
        cache.insert(3, for: key("b"))
        cache.insert(11, for: key("a"))
        #expect(evictions.all == ["a 11 tooLarge"])
        // The older value was evicted, too.
        #expect(cache.value(for: key("a")) == nil)
        #expect(cache.value(for: key("b")) == 3)
    }

    @Test func memoryIsGivenBack() {
        let evictions = Evictions()
        let cache = cache(100, evictions: evictions)
        for name in "abcdefghij" { cache.insert(10, for: key("\(name)")) }
        cache.trimMemory(to: 0.8)
        #expect(evictions.all == ["a 10 pressure", "b 10 pressure"])
        cache.trimMemory(to: 0)
        #expect(cache.count == 0)
        #expect(cache.bytes == 0)
    }

    @Test func identifiersByTheirBeginning() {
        let cache = cache(100)
        for name in ["chat/1", "chat/2", "chats", "mail/1"] { cache.insert(1, for: key(name)) }
        cache.removeAll(identifierPrefix: "chat/")
        #expect(["chat/1", "chat/2", "chats", "mail/1"].map { cache.value(for: key($0)) } == [nil, nil, 1, 1])
        cache.removeAll()
        #expect(cache.count == 0)
    }

    /// A hit returns the very pixels that were inserted, and evicted ones are freed.
    @Test func aHitIsTheSamePixels() async throws {
        let tally = Tally()
        let cache = MemoryCache<Pixmap>(limits: MemoryCacheLimits(bytes: 4000), cost: \.byteCount)
        do {
            let pixmap = Pixmap.of(10, 10, isOpaque: true, tally: tally) { _, _ in [1, 2, 3, 255] }
            cache.insert(pixmap, for: key("a"))
            #expect(cache.bytes == 400)
            #expect(cache.value(for: key("a")) === pixmap)
        }
        #expect(tally.count == 0)
        cache.remove(key("a"))
        #expect(tally.count == 1)
    }

    /// Releasing a long linked list does not recurse deeply, and nothing of it leaks.
    @Test func nothingStaysWhenItGoes() {
        let tally = Tally()
        do {
            let cache = MemoryCache<Pixmap>(limits: MemoryCacheLimits(bytes: 1 << 30), cost: \.byteCount)
            for number in 0..<200_000 {
                cache.insert(
                    Pixmap.of(1, 1, isOpaque: true, tally: tally) { _, _ in [0, 0, 0, 255] }, for: key("\(number)"))
            }
        }
        #expect(tally.count == 200_000)
    }

    @Test func manyThreads() async {
        let cache = cache(1000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<2000 {
                        let key = key("\(step * (task + 1) % 300)")
                        cache.insert(step % 10, for: key)
                        _ = cache.value(for: key)
                        if step % 7 == 0 { cache.remove(key) }
                        if step % 500 == 0 { cache.trimMemory(to: 0.5) }
                    }
                }
            }
        }
        #expect(cache.bytes <= 1000)
        cache.trimMemory(to: 0)
        #expect(cache.bytes == 0)
    }
}

/// The evicted values, in order.
final class Evictions: Sendable {
    private let entries = Mutex<[String]>([])
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
}
