import Foundation
import Testing

@testable import Offstage

/// A memory hit also counts as a use on disk, where the store evicts the least recently used pictures first.
@Suite(.timeLimit(.minutes(15)))
struct LastUseTests {
    private let test: TestStore
    private let clock = TestClock()
    init() throws { test = try TestStore() }

    /// Draws "old" and "new", uses "old" again from memory, and evicts the pictures that were not used since.
    private func left(
        _ configuration: RendererConfiguration, _ use: (Renderer, ContentRequest) async throws -> Void
    ) async throws -> Set<String> {
        let store = test.open(clock: clock)
        var configuration = configuration
        configuration.store = store
        let old = ContentRequest(identifier: "old")
        let first = Renderer(engine: ContentEngine(), configuration: configuration)
        try await use(first, old)
        try await use(first, ContentRequest(identifier: "new", content: "b"))
        await first.finish()
        await store.finish()
        clock.pass(500)
        let second = Renderer(engine: ContentEngine(), configuration: configuration)
        try await use(second, old)
        await second.finish()
        #expect(second.counters.hitsInMemory == 1)
        await store.finish()
        clock.pass(600)
        let next = test.open(limits: StoreLimits(age: 1000, freeBytes: 0), clock: clock)
        await next.trim()
        return Set(await next.entries().map(\.key.identifier))
    }

    @Test func aFileFromMemory() async throws {
        var configuration = RendererConfiguration()
        configuration.files = CachedFile.cache()
        #expect(
            try await left(configuration) { _ = try await $0.files(for: $1, as: [FileVariant(.png())]) } == ["old"])
    }

    @Test func aPictureFromMemory() async throws {
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        #expect(try await left(configuration) { _ = try await $0.picture(for: $1) } == ["old"])
    }

    @Test func theThumbnailOfAPictureFromMemory() async throws {
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        let box = PixelSize(width: 90, height: 90)
        #expect(try await left(configuration) { _ = try await $0.thumbnail(for: $1, fittingInto: box) } == ["old"])
    }
}
