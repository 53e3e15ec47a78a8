import Offstage
import Testing

/// One identifier at several device scale factors: each is cached separately, and one call can make files of several.
@Suite(.timeLimit(.minutes(15)))
struct ScalesTests {
    private let folder: TemporaryFolder
    private let store: PictureStore
    private let engine = ContentEngine()
    private let row = ContentRequest(identifier: "a")

    init() throws {
        folder = try TemporaryFolder()
        store = PictureStore(folder: folder.path)
    }

    private func renderer(memory: MemoryCache<CachedPictures>? = nil) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.memory = memory
        configuration.store = store
        return Renderer(engine: engine, configuration: configuration)
    }

    private func widths(_ files: [RenderedFiles]) -> [[Int]] { files.map { $0.files.map(\.size.width) } }

    /// Imitates a window that moves to another monitor and back.
    @Test(arguments: [true, false])
    func goingToAnotherScaleAndBackDrawsEachOnce(isInMemory: Bool) async throws {
        let memory = isInMemory ? CachedPictures.cache() : nil
        for scale in [1.0, 2, 1, 2] {
            let renderer = renderer(memory: memory)
            #expect(try await renderer.picture(for: row.scaled(to: scale)).size.width == Int(20 * scale))
            await renderer.finish()
        }
        #expect(engine.drawings.count == 2)
    }

    @Test func thumbnailsOfTwoScalesAreTwo() async throws {
        let renderer = renderer(memory: CachedPictures.cache())
        let box = PixelSize(width: 15, height: 90)
        for scale in [1.0, 2, 1, 2] {
            let image = try await renderer.thumbnail(for: row.scaled(to: scale), fittingInto: box)
            #expect(image.size.width == 15)
            #expect(image.scale == 1.5 * scale)
        }
        #expect(engine.drawings.count == 2)
        await renderer.finish()
    }

    @Test func filesOfSeveralScalesComeInTheirOrderAndEachScaleIsDrawnOnce() async throws {
        let variants = [
            FileVariant(.png(), scale: 3), FileVariant(.webp()),
            FileVariant(.png(), fittingInto: .init(width: 9, height: 9)),
            FileVariant(.png(), scale: 2), FileVariant(.raw(), scale: 3), FileVariant(.webp(), scale: 1),
        ]
        for isCached in [false, true] {
            let renderer = renderer()
            let files = try await renderer.files(for: row, as: variants)
            #expect(widths(files) == [[60, 20, 9, 40, 60, 20]])
            #expect(files[0].files.map(\.scale) == [4.5, 1.5, 1.5, 3, 4.5, 1.5])
            #expect(files[0].isCached == isCached)
            #expect(engine.drawings.count == 3)
            await renderer.finish()
        }
        // A request for a single scale gets the same picture.
        let renderer = renderer()
        let alone = try await renderer.files(for: row.scaled(to: 2), as: [FileVariant(.png())])
        #expect(widths(alone) == [[40]] && alone[0].isCached)
        await renderer.finish()
    }

    /// The second drawing's own warnings are also reported, and shared warnings only once. The same applies to cached
    /// pictures.
    @Test func warningsOfAllDrawingsAreReportedOnce() async throws {
        var row = row
        row.warnings = [DrawingWarning(.resourceMissing, "a.png")]
        row.warningsAtTwo = [DrawingWarning(.resourceMissing, "a@2x.png")]
        for isCached in [false, true] {
            let renderer = renderer()
            let files = try await renderer.files(for: row, as: [FileVariant(.png()), FileVariant(.png(), scale: 2)])
            #expect(files[0].warnings == row.warnings + row.warningsAtTwo)
            #expect(files[0].isCached == isCached)
            await renderer.finish()
        }
    }

    @Test func partsOfTwoScalesGoTogetherOrNotAtAll() async throws {
        let renderer = renderer()
        var row = row
        row.partCount = 2
        let variants = [FileVariant(.png()), FileVariant(.png(), scale: 2)]
        #expect(widths(try await renderer.files(for: row, as: variants)) == [[20, 40], [21, 41]])
        row.hasMorePartsAtTwo = true
        await #expect(
            throws: RenderError(identifier: "a", reason: .partsDiffer(count: 2, scale: 1, otherCount: 3, otherScale: 2))
        ) {
            try await renderer.files(for: row, as: variants, options: RenderOptions(usesCache: false))
        }
        await renderer.finish()
    }
}
