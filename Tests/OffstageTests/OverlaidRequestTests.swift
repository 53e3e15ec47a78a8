import Foundation
import Offstage
import Testing

/// A drawing over another one, requested like any other picture.
@Suite struct OverlaidRequestTests {
    private let below = ContentEngine()
    private let above = MarkEngine()

    private var renderer: Renderer {
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        return Renderer(engines: [below, above], configuration: configuration)
    }

    private func request(_ content: String = "a", _ mark: UInt8 = 200, parts: Int = 0) -> OverlaidRequest {
        let content = ContentRequest(identifier: "row", content: content, partCount: parts)
        return OverlaidRequest(content, above: MarkRequest(mark: mark))
    }

    /// The first pixel of the picture's first row.
    private func bytes(_ picture: RenderedPicture) throws -> [UInt8] {
        picture.pixmap.withRow(0) { Array($0.prefix(4)) }
    }

    @Test func theSecondDrawingIsOverTheFirst() async throws {
        let picture = try await renderer.picture(for: request())
        #expect(try bytes(picture) == [200, 200, 200, 255])
        #expect(picture.identifier == "row")
        #expect(picture.warnings.map(\.subject) == ["mark"])
        #expect(below.drawings.count == 1 && above.drawings.count == 1)
    }

    @Test func bothDecideTheCachedPicture() async throws {
        let renderer = renderer
        for mark: UInt8 in [200, 200, 100] {
            #expect(try bytes(try await renderer.picture(for: request("a", mark)))[0] == mark)
        }
        #expect(above.drawings.count == 2)
        _ = try await renderer.picture(for: request("b", 100))
        #expect(above.drawings.count == 3)
        // The picture without an overlay is a separate picture.
        let plain = try await renderer.picture(for: ContentRequest(identifier: "row"))
        #expect(try bytes(plain)[0] != 200)
    }

    @Test func everyPartHasItsOverlay() async throws {
        let pictures = try await renderer.pictures(for: request(parts: 3))
        #expect(try pictures.map { try bytes($0)[0] } == [200, 201, 202])
        #expect(pictures.map(\.part) == [1, 2, 3])
    }

    @Test func theScaleIsThatOfThePictureBelow() async throws {
        let variants = [FileVariant(.raw()), FileVariant(.raw(), scale: 2)]
        let files = try await renderer.files(for: request(), as: variants, options: RenderOptions())
        #expect(files.first?.files.map { $0.size.width } == [20, 40])
    }

    @Test func equalRequestsShareADrawing() {
        var one = ContentRequest(identifier: "a")
        var other = ContentRequest(identifier: "b")
        (one.key, other.key) = ("k", "k")
        let mark = MarkRequest(mark: 1)
        #expect(OverlaidRequest(one, above: mark).coalescingKey == OverlaidRequest(other, above: mark).coalescingKey)
        #expect(
            OverlaidRequest(one, above: mark).coalescingKey
                != OverlaidRequest(other, above: MarkRequest(mark: 2)).coalescingKey)
        other.key = nil
        #expect(OverlaidRequest(other, above: mark).coalescingKey == nil)
    }

    @Test func anEngineThatDrawsOverNothingIsNone() async {
        let content = ContentRequest(identifier: "row")
        let error = await #expect(throws: RenderError.self) {
            _ = try await renderer.picture(for: OverlaidRequest(content, above: content))
        }
        #expect(error?.description.contains("the renderer has no engine for a request of type OverlaidRequest") == true)
    }
}

private struct MarkRequest: DrawingRequest {
    var identifier = ""
    var mark: UInt8
    var scale = 1.0
    var coalescingKey: UInt8? { mark }
}

/// Fills each picture with the request's mark.
private struct MarkEngine: OverlayEngine {
    let capacity = 1
    let drawings = Tally()

    func draw(_ request: MarkRequest) async throws(DrawingError) -> Drawing {
        throw .engineFailed("it is over nothing")
    }

    func draw(_ request: MarkRequest, over drawing: Drawing) async throws(DrawingError) -> Drawing {
        drawings.add()
        var drawing = drawing
        for (index, picture) in drawing.pictures.enumerated() {
            let mark = request.mark + UInt8(index)
            drawing.pictures[index] = .pixels(
                .of(picture.size.width, picture.size.height, isOpaque: true) { _, _ in [mark, mark, mark, 255] })
        }
        drawing.warnings.append(DrawingWarning(.imageBroken, "mark"))
        return drawing
    }

    func fingerprint(of request: MarkRequest) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("mark", "\(request.mark)")
        return builder.build()
    }

    func shutDown() async {}
}
