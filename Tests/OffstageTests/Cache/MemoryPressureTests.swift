import Foundation
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
        // The most recently used picture remains.
        #expect(cache.value(for: PictureKey("9", variant: "full")) == 10)
    }

    @Test func theControlGroupsEvents() {
        #expect(PressureFiles.timesReached("low 7\nhigh 3\nmax 2\noom 1\noom_kill 9\n") == 6)
        #expect(PressureFiles.timesReached("") == 0)
    }

    /// Watching can be stopped even where only a control group's folder is watched, on any machine.
    @Test func theWatchingEnds() throws {
        let folder = NSTemporaryDirectory() + "offstage-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("low 7\nhigh 3\nmax 2\noom 1\n".utf8).write(to: URL(fileURLWithPath: folder + "/memory.events"))
        let files = try #require(PressureFiles(cgroup: folder))
        files.stop()
        #expect(files.wait() == nil)
        // Every later call also returns at once: a second reader must not block.
        #expect(files.wait() == nil)
    }

    /// If the machine has anything to watch, it is watched, and the stream ends on request.
    @Test func itEnds() async throws {
        let file = open("/proc/pressure/memory", O_RDWR | O_CLOEXEC)
        if file >= 0 { close(file) }
        let isWatchable = file >= 0 || PressureFiles.ownGroup() != nil
        let pressure = MemoryPressure()
        #expect((pressure != nil) == isWatchable)
        pressure?.stop()
        if let pressure { for await _ in pressure.levels {} }
    }
}
