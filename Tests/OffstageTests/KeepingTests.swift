import Foundation
import Offstage
import Testing

/// Pictures that a renderer caches: in memory, and on disk for the next renderer.
@Suite struct KeepingTests {
    typealias Request = ContentRequest
    typealias Engine = ContentEngine

    private let folder: TemporaryFolder
    private var configuration = RendererConfiguration()

    init() throws {
        folder = try TemporaryFolder()
        configuration.memory = CachedPictures.cache()
        configuration.store = PictureStore(folder: folder.path)
    }

    /// Draws with a new renderer, as after a restart. Returns how often the engine drew, and the pictures.
    @discardableResult
    private func drawn(
        _ requests: Request..., engine: Engine = Engine(), options: RenderOptions = RenderOptions(),
        isMemoryEmpty: Bool = true
    ) async throws -> (drawings: Int, images: [RenderedPicture], counters: RenderCounters) {
        var configuration = configuration
        if isMemoryEmpty { configuration.memory = CachedPictures.cache() }
        let renderer = Renderer(engine: engine, configuration: configuration)
        var images: [RenderedPicture] = []
        for request in requests { images += try await renderer.pictures(for: request, options: options) }
        await renderer.finish()
        return (engine.drawings.count, images, renderer.counters)
    }

    @Test func memoryAnswersTheSecondRequest() async throws {
        let (drawings, images, counters) = try await drawn(Request(identifier: "a"), Request(identifier: "a"))
        #expect(drawings == 1)
        #expect(images[0].pixmap === images[1].pixmap)
        #expect(images.map(\.origin) == [.drawn, .memory])
        #expect(images.map(\.isCached) == [false, true])
        #expect(counters.hitsInMemory == 1)
    }

    @Test func theDiskAnswersTheNextRenderer() async throws {
        let first = try await drawn(Request(identifier: "a"))
        #expect((first.counters.encoded, first.counters.stored) == (1, 1))
        let (drawings, images, counters) = try await drawn(Request(identifier: "a"))
        #expect(drawings == 0)
        #expect(counters.hitsOnDisk == 1)
        #expect(images[0].origin == .disk)
        #expect(images[0].isCached)
        #expect(images[0].scale == 1.5)
        #expect(images[0].pixmap.isOpaque == false)
        // The bytes are equal, with premultiplied alpha.
        for y in 0..<10 {
            let rows = [first.images[0], images[0]].map { $0.pixmap.withRow(y) { Array($0) } }
            #expect(rows[0] == rows[1])
        }
    }

    @Test func anotherContentUnderTheSameIdentifierIsDrawn() async throws {
        try await drawn(Request(identifier: "a"))
        #expect(try await drawn(Request(identifier: "a", content: "b")).drawings == 1)
        // The older picture was evicted.
        #expect(try await drawn(Request(identifier: "a")).drawings == 1)
        // Test the memory cache alone: a store may still have the older picture when the third one is requested.
        var configuration = configuration
        configuration.store = nil
        let engine = Engine()
        let renderer = Renderer(engine: engine, configuration: configuration)
        for content in ["a", "b", "a"] {
            _ = try await renderer.picture(for: Request(identifier: "a", content: content))
        }
        await renderer.finish()
        #expect(engine.drawings.count == 3)
    }

    @Test func theSameUnderAnotherIdentifierIsNotDrawnAgain() async throws {
        try await drawn(Request(identifier: "a"))
        let (drawings, images, _) = try await drawn(Request(identifier: "b"))
        #expect(drawings == 0)
        #expect(images[0].identifier == "b")
    }

    @Test func aFileThatChangedMakesAPictureStale() async throws {
        var engine = Engine(file: Digest(of: "one"), usesFile: true)
        try await drawn(Request(identifier: "a"), engine: engine, isMemoryEmpty: false)
        #expect(try await drawn(Request(identifier: "a"), engine: engine).drawings == 1)
        for isMemoryEmpty in [true, false] {
            engine = Engine(file: Digest(of: "two \(isMemoryEmpty)"), usesFile: true)
            #expect(
                try await drawn(Request(identifier: "a"), engine: engine, isMemoryEmpty: isMemoryEmpty).drawings == 1)
        }
        engine = Engine(file: nil, usesFile: true)
        #expect(try await drawn(Request(identifier: "a"), engine: engine).drawings == 1)
    }

    @Test func partsComeBackTogetherAndInOrder() async throws {
        try await drawn(Request(identifier: "a", partCount: 3))
        let (drawings, images, _) = try await drawn(Request(identifier: "a", partCount: 3))
        #expect(drawings == 0)
        #expect(images.map(\.part) == [1, 2, 3])
        #expect(images.map(\.size.width) == [20, 21, 22])
    }

    @Test func optionsSayWhatIsUsedAndKept() async throws {
        try await drawn(Request(identifier: "a"), options: RenderOptions(storesResult: false))
        #expect(try await drawn(Request(identifier: "a")).drawings == 1)
        #expect(try await drawn(Request(identifier: "a"), options: RenderOptions(usesCache: false)).drawings == 1)
        #expect(try await drawn(Request(identifier: "a")).drawings == 0)
    }

    @Test func keptAnswersComeWhileSuspended() async throws {
        try await drawn(Request(identifier: "disk"))
        let engine = Engine()
        let renderer = Renderer(engine: engine, configuration: configuration)
        _ = try await renderer.picture(for: Request(identifier: "memory", content: "m"))
        renderer.isSuspended = true
        _ = try await renderer.picture(for: Request(identifier: "memory", content: "m"))
        _ = try await renderer.picture(for: Request(identifier: "disk"))
        #expect(engine.drawings.count == 1)
        await renderer.finish(.cancelled)
    }

    @Test func whatTheClockCutShortIsNotKept() async throws {
        let late = Request(identifier: "a", warnings: [DrawingWarning(.deadline, "x.png")])
        #expect(try await drawn(late, late).drawings == 2)
        let broken = Request(identifier: "b", content: "b", warnings: [DrawingWarning(.imageBroken, "x.png")])
        let (drawings, images, _) = try await drawn(broken, broken)
        #expect(drawings == 1)
        #expect(images[1].warnings == broken.warnings)
    }

    @Test func aKeptPictureThatLacksSomethingIsNoAnswerToWhoWantsAll() async throws {
        var request = Request(identifier: "a", warnings: [DrawingWarning(.imageBroken, "x.png")])
        try await drawn(request)
        request.requiresComplete = true
        let wanted = request
        await #expect(throws: RenderError(identifier: "a", reason: .incomplete(wanted.warnings))) {
            try await drawn(wanted)
        }
    }

    @Test func filesAreKeptByVariant() async throws {
        let variants = [FileVariant(.png()), FileVariant(.webp(), fittingInto: PixelSize(width: 8, height: 8))]
        func files(_ variants: [FileVariant]) async throws -> (drawings: Int, files: [RenderedFiles]) {
            let engine = Engine()
            let renderer = Renderer(engine: engine, configuration: configuration)
            let files = try await renderer.files(for: Request(identifier: "a"), as: variants)
            await renderer.finish()
            return (engine.drawings.count, files)
        }
        let first = try await files(variants)
        let second = try await files(variants)
        #expect((first.drawings, second.drawings) == (1, 0))
        #expect((first.files[0].isCached, second.files[0].isCached) == (false, true))
        for (one, other) in zip(first.files[0].files, second.files[0].files) {
            #expect(one.size == other.size)
            #expect(one.content == other.content)
            let (data, kept) = (await one.data(), await other.data())
            #expect(data == kept)
            #expect(data?.count == other.byteCount)
        }
        #expect(try await files([FileVariant(.jpeg())]).drawings == 1)
    }
}
