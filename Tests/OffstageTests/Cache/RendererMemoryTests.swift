import Testing

@testable import Offstage

/// A renderer releases pictures from memory and reports the evicted ones.
@Suite(.timeLimit(.minutes(15)))
struct RendererMemoryTests {
    private let memory = CachedPictures.cache(limits: MemoryCacheLimits(bytes: 10 * 800))
    private var configuration = RendererConfiguration()

    init() { configuration.memory = memory }

    /// Each picture takes a tenth of the memory.
    private func draw(_ count: Int, with renderer: Renderer) async throws {
        for number in 0..<count {
            _ = try await renderer.picture(for: ContentRequest(identifier: "\(number)", content: "\(number)"))
        }
    }

    private func evicted(_ stream: AsyncStream<RenderEvent>) async -> [String] {
        var identifiers: [String] = []
        for await event in stream where event.kind == .evicted {
            #expect(event.request == nil)
            identifiers.append(event.identifier)
        }
        return identifiers
    }

    @Test func whatLeavesTheMemoryIsTold() async throws {
        let renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        let other = Renderer(engine: ContentEngine(), configuration: configuration)
        let stream = renderer.events(buffering: .max)
        try await draw(12, with: renderer)
        renderer.trimMemory(to: 0.8)
        #expect(memory.count == 8)
        // The next picture is too large for the cache, and is never stored.
        _ = try await renderer.picture(for: ContentRequest(identifier: "large", content: "large", width: 21))
        renderer.trimMemory()
        #expect(memory.count == 0)
        await renderer.finish()
        #expect(await evicted(stream) == (0..<12).map(String.init))
        #expect(renderer.counters.evicted == 12)
        #expect(other.counters.evicted == 12)
        await other.finish()
    }

    @Test func aFinishedRendererIsNotToldAnyMore() async throws {
        let renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        try await draw(3, with: renderer)
        await renderer.finish()
        memory.trimMemory(to: 0)
        #expect(renderer.counters.evicted == 0)
    }

    @Test func whatTheStoreTrimsIsTold() async throws {
        var configuration = configuration
        let test = try TestStore()
        configuration.memory = nil
        configuration.store = test.open(limits: StoreLimits(age: 1000, freeBytes: 0))
        let first = Renderer(engine: ContentEngine(), configuration: configuration)
        try await draw(3, with: first)
        await first.finish()
        let later = TestClock()
        later.pass(2000)
        let store = test.open(limits: StoreLimits(age: 1000, freeBytes: 0), clock: later)
        configuration.store = store
        let renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        let stream = renderer.events()
        await store.trim()
        await renderer.finish()
        #expect(await evicted(stream) == ["0", "1", "2"])
        #expect(renderer.counters.evicted == 3)
    }

    @Test func shortMemoryIsHeeded() async throws {
        var configuration = configuration
        let (levels, source) = AsyncStream<MemoryPressure.Level>.makeStream()
        configuration.pressure = levels
        let renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        try await draw(10, with: renderer)
        var events = renderer.events().makeAsyncIterator()
        source.yield(.some)
        for number in 0..<5 { #expect(await events.next()?.identifier == "\(number)") }
        #expect(memory.count == 5)
        source.yield(.critical)
        for number in 5..<9 { #expect(await events.next()?.identifier == "\(number)") }
        #expect(memory.count == 1)
        await renderer.finish()
        #expect(!renderer.observation.hearsOfPressure)
    }

    /// A service's renderer caches files in memory, but no pictures.
    @Test func filesGiveWayToo() async throws {
        let test = try TestStore()
        var configuration = RendererConfiguration()
        let (levels, source) = AsyncStream<MemoryPressure.Level>.makeStream()
        configuration.pressure = levels
        configuration.store = test.open()
        let files = CachedFile.cache(limits: MemoryCacheLimits(bytes: 12_000))
        configuration.files = files
        let renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        let (left, evictions) = AsyncStream<EvictionReason>.makeStream()
        let other = MemoryCache<Int>(
            limits: MemoryCacheLimits(bytes: 100), cost: { $0 },
            onEvict: { _, _, reason in evictions.yield(reason) })
        renderer.trim(other)
        for number in 0..<10 { other.insert(10, for: PictureKey("\(number)", variant: "full")) }
        for number in 0..<40 {
            _ = try await renderer.files(
                for: ContentRequest(identifier: "\(number)", content: "\(number)"), as: [FileVariant(.png())])
        }
        #expect(files.bytes > 9_000)
        source.yield(.some)
        // The other cache is trimmed after the files.
        var next = left.makeAsyncIterator()
        for _ in 0..<5 { #expect(await next.next() == .pressure) }
        #expect(files.bytes <= 6_000 && files.count > 0)
        renderer.trimMemory()
        #expect(files.count == 0 && other.count == 0)
        await renderer.finish()
        #expect(!renderer.observation.hearsOfPressure)
    }

    /// On machines that do not report memory pressure, the renderer never watches for it.
    @Test func theSystemIsAskedUnlessTheHostSaysNo() async {
        var configuration = configuration
        let hasPressure = MemoryPressure() != nil
        var renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        #expect(renderer.observation.hearsOfPressure == hasPressure)
        await renderer.finish()
        #expect(!renderer.observation.hearsOfPressure)
        configuration.heedsMemoryPressure = false
        renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        #expect(!renderer.observation.hearsOfPressure)
        await renderer.finish()
        (configuration.heedsMemoryPressure, configuration.memory) = (true, nil)
        renderer = Renderer(engine: ContentEngine(), configuration: configuration)
        #expect(!renderer.observation.hearsOfPressure)
        await renderer.finish()
    }
}
