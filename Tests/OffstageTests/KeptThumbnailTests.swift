import Offstage
import Testing

/// Thumbnails that a renderer makes of its pictures and keeps beside them.
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

    /// As after a restart, unless memory is shared.
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
        #expect(rows(small) == rows(image.fitted(into: box)))
        #expect(next.counters.hitsOnDisk == 1)
        // The next time it is decoded already.
        let again = try await next.thumbnail(for: row, fittingInto: box)
        #expect(again.pixmap === small.pixmap)
        #expect(next.counters.hitsInMemory == 1)
        await next.finish()
    }

    @Test func theThumbnailComesFromMemoryWithoutThePicture() async throws {
        let first = renderer(memory: memory)
        _ = try await first.picture(for: row, options: RenderOptions(thumbnail: box))
        await first.finish()
        memory.remove(key(FileVariant(.png())))
        let engine = ContentEngine()
        let next = renderer(engine, memory: memory)
        #expect(try await next.thumbnail(for: row, fittingInto: box).size.width == 10)
        #expect(engine.drawings.count == 0)
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
        #expect(await store.entries().map(\.key.variant).sorted() == ["png:level=1", "thumb:10x10:png:level=1"])
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
        #expect(await store.statistics().contents == 1)
        let next = self.renderer(memory: memory)
        #expect(try await next.thumbnail(for: row, fittingInto: large).pixmap === image.pixmap)
        #expect(next.counters.drawn == 0)
        await next.finish()
    }

    @Test func filesAndPicturesFindEachOther() async throws {
        let first = renderer(store: store)
        let variants = [FileVariant(.png()), FileVariant(.png(), fittingInto: box)]
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
        let thumbnails = await store.parts(of: "a", variant: FileVariant(.png(), fittingInto: box).name)
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
        #expect(memory.count == 4)
    }
}
