import Foundation
import Offstage
import Testing

/// Click areas and text on their way from the engine to the host.
@Suite struct PictureContentTests {
    /// White except for a red box of 30 × 20 device px at (20, 40).
    private let pixmap = Pixmap.of(100, 80, isOpaque: true) { x, y in
        (20..<50).contains(x) && (40..<60).contains(y) ? [0, 0, 255, 255] : [255, 255, 255, 255]
    }

    private func finished(_ areas: [PictureArea], _ margins: Margins = Margins()) async throws -> RenderedPicture {
        let engine = AreaEngine(pixmap: pixmap, scale: 2, content: PictureContent(areas: areas, text: "Hello"))
        return try await Renderer(engine: engine).picture(for: AreaRequest(margins: margins))
    }

    /// The red box, in CSS px.
    private let red = PictureArea(x: 10, y: 20, width: 15, height: 10, target: "a", label: "A link")

    @Test func areasStayWhereNothingIsDone() async throws {
        let image = try await finished([red])
        #expect(image.areas == [red])
        #expect(image.text == "Hello")
    }

    /// A store may have pictures from versions whose areas had no labels.
    @Test func areasWithoutLabelsAreRead() throws {
        let old = #"{"areas": [{"x": 10, "y": 20, "width": 15, "height": 10, "target": "a"}], "text": ""}"#
        let content = try JSONDecoder().decode(PictureContent.self, from: Data(old.utf8))
        #expect(content.areas == [PictureArea(x: 10, y: 20, width: 15, height: 10, target: "a")])
        let new = PictureContent(areas: [red])
        #expect(try JSONDecoder().decode(PictureContent.self, from: JSONEncoder().encode(new)) == new)
    }

    @Test func areasMoveWithTheEdges() async throws {
        let trimmed = try await finished([red], Margins(isTrimmed: true))
        #expect(trimmed.areas == [PictureArea(x: 0, y: 0, width: 15, height: 10, target: "a", label: "A link")])
        let padded = try await finished([red], Margins(isTrimmed: true, padding: 3))
        #expect(padded.areas == [PictureArea(x: 3, y: 3, width: 15, height: 10, target: "a", label: "A link")])
        #expect(try await finished([red], Margins(padding: 3)).areas[0].x == 13)
    }

    @Test func whatIsOutsideIsLeftOutAndWhatGoesBeyondAnEdgeIsCut() async throws {
        let areas = [
            PictureArea(x: 0, y: 0, width: 5, height: 5, target: "outside"),
            PictureArea(x: 5, y: 15, width: 10, height: 100, target: "beyond"),
            PictureArea(x: 25, y: 20, width: 5, height: 5, target: "beside"),
            PictureArea(x: .nan, y: 20, width: 5, height: 5, target: "nowhere"),
        ]
        #expect(
            try await finished(areas, Margins(isTrimmed: true)).areas
                == [PictureArea(x: 0, y: 0, width: 5, height: 10, target: "beyond")])
    }

    @Test func aPictureHasSoManyAtMost() async throws {
        let many = (0..<2000).map { PictureArea(x: 1, y: 1, width: 1, height: 1, identifier: "\($0)") }
        #expect(try await finished(many).areas == Array(many.prefix(1000)))
    }

    @Test func thePointOfALink() {
        let content = PictureContent(areas: [
            PictureArea(x: 0, y: 0, width: 10, height: 10, target: "below"),
            PictureArea(x: 5, y: 0, width: 10, height: 10, target: "above"),
            PictureArea(x: 0, y: 0, width: 100, height: 100, identifier: "all"),
        ])
        #expect(content.link(atX: 4.9, y: 3)?.target == "below")
        #expect(content.link(atX: 5, y: 3)?.target == "above")
        #expect(content.link(atX: 15, y: 3) == nil)
        #expect(content.link(atX: 3, y: -0.1) == nil)
    }

    @Test func theyAreKeptInMemoryAndOnDisk() async throws {
        let folder = try TemporaryFolder()
        let engine = AreaEngine(pixmap: pixmap, scale: 2, content: PictureContent(areas: [red], text: "\u{0}é\n\"🎉"))
        func renderer(_ memory: MemoryCache<CachedPictures>?) -> Renderer {
            var configuration = RendererConfiguration()
            configuration.memory = memory
            configuration.store = PictureStore(folder: folder.path)
            return Renderer(engine: engine, configuration: configuration)
        }
        let memory = CachedPictures.cache()
        let first = renderer(memory)
        let request = AreaRequest(margins: Margins(padding: 1))
        let drawn = try await first.picture(for: request).content
        #expect(drawn?.areas == [PictureArea(x: 11, y: 21, width: 15, height: 10, target: "a", label: "A link")])
        #expect(try await first.picture(for: request).content == drawn)
        await first.finish()
        let second = renderer(nil)
        let kept = try await second.picture(for: request)
        #expect(kept.content == drawn)
        #expect(second.counters.hitsOnDisk == 1)
        // A thumbnail has the content of the full picture, because the host paints it instead of the picture.
        let box = PixelSize(width: 20, height: 20)
        #expect(try await second.thumbnail(for: request, fittingInto: box).content == drawn)
        #expect(try await second.files(for: request, as: [FileVariant(.png())])[0].content == drawn)
        await second.finish()
        #expect(engine.drawings.count == 1)
    }
}

private struct AreaRequest: DrawingRequest {
    var identifier = "row"
    var scale = 1.0
    var margins: Margins
}

private struct AreaEngine: Engine {
    var pixmap: Pixmap
    var scale: Double
    var content: PictureContent
    let drawings = Tally()
    var capacity: Int { 1 }

    func draw(_ request: AreaRequest) async throws(DrawingError) -> Drawing {
        drawings.add()
        var drawing = Drawing(pixmaps: [pixmap], scale: scale)
        drawing.contents = [content]
        return drawing
    }

    func fingerprint(of request: AreaRequest) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("padding", "\(request.margins.padding)")
        return builder.build()
    }

    func shutDown() async {}
}
