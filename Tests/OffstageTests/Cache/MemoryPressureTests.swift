import Testing

@testable import Offstage

struct MemoryPressureTests {
    @Test func aCacheGivesWayWhenMemoryIsShort() async {
        let cache = MemoryCache<Int>(limits: MemoryCacheLimits(bytes: 100), cost: { $0 })
        let (levels, source) = AsyncStream<MemoryPressure.Level>.makeStream()
        for number in 0..<10 { cache.insert(10, for: PictureKey("\(number)", variant: "full")) }
        source.yield(.some)
        source.finish()
        await cache.trim(on: levels).value
        #expect(cache.bytes == 50)
        let (more, last) = AsyncStream<MemoryPressure.Level>.makeStream()
        last.yield(.critical)
        last.finish()
        await cache.trim(on: more).value
        #expect(cache.bytes == 10)
        // The most recently used one remains.
        #expect(cache.value(for: PictureKey("9", variant: "full")) == 10)
    }

    @Test func theControlGroupsEvents() {
        #expect(PressureFiles.timesReached("low 7\nhigh 3\nmax 2\noom 1\noom_kill 9\n") == 6)
        #expect(PressureFiles.timesReached("") == 0)
    }

    /// Whatever this machine has to watch, the watching ends when asked to.
    @Test func itEnds() async {
        guard let pressure = MemoryPressure() else { return }
        pressure.stop()
        for await _ in pressure.levels {}
    }
}
