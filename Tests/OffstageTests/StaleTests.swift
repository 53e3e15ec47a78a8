import Offstage
import Testing

/// With `showsStale`, the host gets an older picture of the same identifier while the new one is drawn.
@Suite(.timeLimit(.minutes(15)))
struct StaleTests {
    private let folder: TemporaryFolder
    private var configuration = RendererConfiguration()
    private let gate = Gate()

    init() throws {
        folder = try TemporaryFolder()
        configuration.memory = CachedPictures.cache()
        configuration.store = PictureStore(folder: folder.path)
    }

    /// The row's earlier version, 20 px wide, is cached; the renderer draws the row again when the gate opens.
    private func renderer(
        isMemoryEmpty: Bool, old: ContentRequest = ContentRequest(identifier: "a"), file: String? = nil
    ) async throws -> Renderer {
        let first = ContentEngine(file: Digest(of: "old"), usesFile: file != nil)
        let before = Renderer(engine: first, configuration: configuration)
        _ = try await before.pictures(for: old)
        await before.finish()
        var configuration = configuration
        if isMemoryEmpty { configuration.memory = CachedPictures.cache() }
        let engine = ContentEngine(gate: gate, file: file.map { Digest(of: $0) }, usesFile: file != nil)
        return Renderer(engine: engine, configuration: configuration)
    }

    private let new = ContentRequest(identifier: "a", content: "new", width: 30)

    private func text(_ update: RenderUpdate?) -> String? {
        switch update {
        case .placeholder: "placeholder"
        case .stale(let image): "stale \(image.identifier) \(image.size.width)"
        case .thumbnail(let image): "thumbnail \(image.size.width)"
        case .full(let image): "full \(image.size.width)"
        case nil: nil
        }
    }

    /// The updates that arrive while the gate is closed, and then the rest.
    private func updates(
        _ renderer: Renderer, _ request: ContentRequest, before count: Int,
        options: RenderOptions = RenderOptions(showsStale: true)
    ) async throws -> [String] {
        var updates = renderer.updates(for: request, options: options).makeAsyncIterator()
        var all: [String] = []
        for _ in 0..<count { all.append(text(try await updates.next()) ?? "the end") }
        await gate.open()
        while let update = text(try await updates.next()) { all.append(update) }
        await renderer.finish()
        return all
    }

    @Test func theOldPictureFromMemoryComesAtOnceAndThenTheNewOne() async throws {
        let renderer = try await renderer(isMemoryEmpty: false)
        #expect(try await updates(renderer, new, before: 1) == ["stale a 20", "full 30"])
    }

    @Test func theOldPictureFromDisk() async throws {
        let renderer = try await renderer(isMemoryEmpty: true)
        #expect(try await updates(renderer, new, before: 2) == ["placeholder", "stale a 20", "full 30"])
        // The new picture has replaced the old one.
        let next = Renderer(engine: ContentEngine(), configuration: configuration)
        #expect(try await updates(next, new, before: 0).last == "full 30")
        #expect(next.counters.drawn == 0)
    }

    @Test(arguments: [true, false])
    func aFileThatChangedMakesAPictureStale(isMemoryEmpty: Bool) async throws {
        let renderer = try await renderer(isMemoryEmpty: isMemoryEmpty, file: "new")
        let same = ContentRequest(identifier: "a", width: 30)
        #expect(try await updates(renderer, same, before: 2) == ["placeholder", "stale a 20", "full 30"])
    }

    @Test(arguments: [RenderOptions(), RenderOptions(usesCache: false, showsStale: true)], [true, false])
    func nothingOldIsShownToWhoDidNotAsk(options: RenderOptions, isMemoryEmpty: Bool) async throws {
        let renderer = try await renderer(isMemoryEmpty: isMemoryEmpty)
        #expect(try await updates(renderer, new, before: 1, options: options) == ["placeholder", "full 30"])
    }

    @Test(arguments: [true, false])
    func aPictureThatIsRightIsNotCalledStale(isMemoryEmpty: Bool) async throws {
        let renderer = try await renderer(isMemoryEmpty: isMemoryEmpty)
        let all = try await updates(renderer, ContentRequest(identifier: "a"), before: 0)
        #expect(all.last == "full 20")
        #expect(!all.contains { $0.hasPrefix("stale") })
        #expect(renderer.counters.drawn == 0)
    }

    @Test(arguments: [true, false])
    func anotherRowsPictureIsNotShown(isMemoryEmpty: Bool) async throws {
        let renderer = try await renderer(isMemoryEmpty: isMemoryEmpty)
        let other = ContentRequest(identifier: "b", content: "b", width: 30)
        #expect(try await updates(renderer, other, before: 1) == ["placeholder", "full 30"])
    }

    @Test(arguments: [true, false])
    func anOldPictureThatLacksSomethingIsNotShownToWhoWantsAll(isMemoryEmpty: Bool) async throws {
        let old = ContentRequest(identifier: "a", warnings: [DrawingWarning(.imageBroken, "x.png")])
        let renderer = try await renderer(isMemoryEmpty: isMemoryEmpty, old: old)
        var wanted = new
        wanted.requiresComplete = true
        #expect(try await updates(renderer, wanted, before: 1) == ["placeholder", "full 30"])
    }

    @Test func theFirstOfOldPartsStandsForThePicture() async throws {
        let renderer = try await renderer(
            isMemoryEmpty: true, old: ContentRequest(identifier: "a", partCount: 3))
        #expect(try await updates(renderer, new, before: 2) == ["placeholder", "stale a 20", "full 30"])
    }
}
