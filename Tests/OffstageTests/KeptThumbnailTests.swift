import Foundation
import Testing

@testable import Offstage

/// Thumbnails that a renderer makes of its pictures and caches beside them.
@Suite(.timeLimit(.minutes(15)))
struct KeptThumbnailTests {
    private let folder: TemporaryFolder
    private let store: PictureStore
    private let memory = CachedPictures.cache()
    private let box = PixelSize(width: 10, height: 10)
    private let row = ContentRequest(identifier: "a")

    init() throws {
        folder = try TemporaryFolder()
        store = PictureStore(folder: folder.path)
    }

    /// A new renderer, as after a restart, unless the test passes a memory cache.
    private func renderer(
        _ engine: ContentEngine = ContentEngine(), memory: MemoryCache<CachedPictures>? = CachedPictures.cache(),
        store: PictureStore? = nil
    ) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.memory = memory
        configuration.store = store
        return Renderer(engine: engine, configuration: configuration)
    }

    private func rows(_ image: RenderedPicture) -> [[UInt8]] {
        (0..<image.size.height).map { y in image.pixmap.withRow(y) { Array($0) } }
    }

    /// The mean difference of the colour components.
    private func difference(_ one: RenderedPicture, _ other: RenderedPicture) -> Double {
        let pairs = zip(rows(one).joined(), rows(other).joined())
        return pairs.reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) }
            / Double(4 * one.size.width * one.size.height)
    }

    private func key(_ variant: FileVariant) -> PictureKey { PictureKey("a", variant: variant.name) }

    @Test func theThumbnailComesFromDiskWithoutThePicture() async throws {
        let first = renderer(store: store)
        let image = try await first.picture(for: row, options: RenderOptions(thumbnail: box))
        await first.finish()
        await store.remove([key(FileVariant(.png()))])
        let engine = ContentEngine()
        let next = renderer(engine, store: store)
        let small = try await next.thumbnail(for: row, fittingInto: box)
        #expect(engine.drawings.count == 0)
        #expect(small.size == PixelSize(width: 10, height: 5))
        #expect(difference(small, image.fitted(into: box)) < 8)
        #expect(next.counters.hitsOnDisk == 1)
        // The next time, the thumbnail is in memory.
        let again = try await next.thumbnail(for: row, fittingInto: box)
        #expect(rows(again) == rows(small))
        #expect(next.counters.hitsInMemory == 1)
        await next.finish()
    }

    @Test func theThumbnailComesFromMemoryWithoutThePicture() async throws {
        let engine = ContentEngine()
        let renderer = renderer(engine, memory: memory)
        _ = try await renderer.picture(for: row, options: RenderOptions(thumbnail: box))
        await renderer.shelf.errands.finish()
        memory.remove(key(FileVariant(.png())))
        #expect(try await renderer.thumbnail(for: row, fittingInto: box).size.width == 10)
        #expect(engine.drawings.count == 1)
        await renderer.finish()
    }

    /// A host that paints the thumbnail in the same frame needs it without waiting.
    @Test func theThumbnailIsThereAtOnce() async throws {
        let first = renderer(store: store)
        #expect(first.thumbnailAtOnce(for: row, fittingInto: box) == nil)
        let image = try await first.picture(for: row, options: RenderOptions(thumbnail: box))
        await first.shelf.errands.finish()
        let small = try #require(first.thumbnailAtOnce(for: row, fittingInto: box))
        #expect(small.identifier == "a" && small.scale == image.scale)
        #expect(small.size == PixelSize(width: 10, height: 5) && difference(small, image.fitted(into: box)) < 8)
        var changed = row
        changed.content = "new"
        #expect(first.thumbnailAtOnce(for: changed, fittingInto: box) == nil)
        await first.finish()
        // After a restart, thumbnails are available once they have been loaded.
        let next = renderer(store: store)
        #expect(next.thumbnailAtOnce(for: row, fittingInto: box) == nil)
        next.loadThumbnails(fittingInto: box, scale: row.scale)
        await next.shelf.errands.finish()
        let loaded = try #require(next.thumbnailAtOnce(for: row, fittingInto: box))
        #expect(rows(loaded) == rows(small))
        #expect(next.thumbnailAtOnce(for: changed, fittingInto: box) == nil)
        await next.finish()
    }

    /// Loads more thumbnails than fit into one slice, some with parts, and no more than memory allows.
    @Test func theLatestThumbnailsAreLoaded() async throws {
        let first = renderer(store: store)
        let requests = (0..<300).map { ContentRequest(identifier: "\($0)", content: "\($0)", partCount: $0 % 3 + 1) }
        for request in requests { _ = try await first.pictures(for: request, options: RenderOptions(thumbnail: box)) }
        await first.finish()
        let next = renderer(store: store)
        next.loadThumbnails(fittingInto: box, scale: row.scale)
        await next.shelf.errands.finish()
        let count = requests.count { next.thumbnailAtOnce(for: $0, fittingInto: box) != nil }
        // If a slice ends within a drawing's parts, that drawing is left out.
        #expect(count > 290, "\(count)")
        await next.finish()
    }

    @Test(arguments: [true, false])
    func whatIsNotKeptIsMadeOfThePictureAndThenKept(isCached: Bool) async throws {
        let first = renderer(store: store)
        if isCached { _ = try await first.picture(for: row) }
        await first.finish()
        let engine = ContentEngine()
        let next = renderer(engine, store: store)
        let small = try await next.thumbnail(for: row, fittingInto: box)
        #expect(small.size.width == 10)
        #expect(engine.drawings.count == (isCached ? 0 : 1))
        await next.finish()
        #expect(await store.entries().map(\.key.variant).sorted() == ["png:level=1", "thumb:10x10:webp:quality=70"])
    }

    @Test func nothingIsKeptWhereTheOptionsSaySo() async throws {
        let renderer = renderer(memory: memory, store: store)
        _ = try await renderer.thumbnail(for: row, fittingInto: box, options: RenderOptions(storesResult: false))
        await renderer.finish()
        #expect(await store.entries().isEmpty)
        #expect(memory.count == 0)
    }

    @Test func anOldThumbnailIsNeverGiven() async throws {
        let first = renderer(memory: memory, store: store)
        _ = try await first.picture(for: row, options: RenderOptions(thumbnail: box))
        await first.finish()
        let engine = ContentEngine()
        let next = renderer(engine, memory: memory, store: store)
        var changed = row
        (changed.content, changed.width) = ("new", 30)
        #expect(try await next.thumbnail(for: changed, fittingInto: box).size == PixelSize(width: 10, height: 3))
        #expect(engine.drawings.count == 1)
        await next.finish()
    }

    @Test func updatesGiveTheKeptThumbnailFirst() async throws {
        let first = renderer(store: store)
        let options = RenderOptions(thumbnail: box)
        _ = try await first.picture(for: row, options: options)
        await first.finish()
        await store.remove([key(FileVariant(.png()))])
        let gate = Gate()
        let next = renderer(ContentEngine(gate: gate), store: store)
        var updates = next.updates(for: row, options: options).makeAsyncIterator()
        guard case .placeholder = try await updates.next(), case .thumbnail(let small) = try await updates.next() else {
            Issue.record("no thumbnail")
            return await gate.open()
        }
        #expect(small.size.width == 10)
        await gate.open()
        if case .full(let full) = try await updates.next() {
            #expect(full.size.width == 20)
        } else {
            Issue.record("no picture")
        }
        await next.finish()
    }

    @Test func aPictureThatFitsIsHeldOnce() async throws {
        let renderer = renderer(memory: memory, store: store)
        let large = PixelSize(width: 100, height: 100)
        let image = try await renderer.picture(for: row, options: RenderOptions(thumbnail: large))
        await renderer.finish()
        #expect(memory.bytes == image.pixmap.byteCount)
        let next = self.renderer(memory: memory)
        #expect(try await next.thumbnail(for: row, fittingInto: large).pixmap === image.pixmap)
        #expect(next.counters.drawn == 0)
        await next.finish()
    }

    @Test func filesAndPicturesFindEachOther() async throws {
        let first = renderer(store: store)
        let small = FileVariant(.webp(WebPEncoder(compression: .quality(70))), fittingInto: box)
        let variants = [FileVariant(.png()), small]
        _ = try await first.files(for: row, as: variants)
        await first.finish()
        let next = renderer(store: store)
        #expect(try await next.thumbnail(for: row, fittingInto: box).size.width == 10)
        #expect(try await next.picture(for: row).size.width == 20)
        #expect(next.counters.drawn == 0)
        await next.finish()
    }

    @Test func everyPartHasItsThumbnail() async throws {
        let first = renderer(store: store)
        let parts = ContentRequest(identifier: "a", partCount: 3)
        _ = try await first.pictures(for: parts, options: RenderOptions(thumbnail: box))
        await first.finish()
        let thumbnails = await store.parts(of: "a", variant: "thumb:10x10:webp:quality=70")
        #expect(thumbnails.map(\.key.part) == [1, 2, 3])
        #expect(thumbnails.map(\.info.size.width) == [10, 10, 10])
    }

    @Test func aPrefetchedRowHasAThumbnail() async throws {
        let renderer = renderer(memory: memory)
        let prefetcher = Prefetcher(renderer: renderer, lookAhead: 1, thumbnail: box) {
            ContentRequest(identifier: $0)
        }
        prefetcher.prefetch(["a", "b", "c"], around: 0..<1)
        await renderer.finish()
        #expect(renderer.counters.drawn == 2)
        for row in ["a", "b"] {
            #expect(renderer.thumbnailAtOnce(for: ContentRequest(identifier: row), fittingInto: box) != nil)
        }
    }
}
