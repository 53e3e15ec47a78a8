import Offstage
import Testing

/// Padding and cropping a picture's edges after the drawing.
@Suite struct MarginsTests {
    /// A red box of 3 × 2 px in a white picture of 10 × 8, with its corner at (4, 5).
    private let picture = Pixmap.of(10, 8, isOpaque: true) { x, y in
        (4..<7).contains(x) && (5..<7).contains(y) ? [0, 0, 255, 255] : [255, 255, 255, 255]
    }

    private func finished(_ margins: Margins, scale: Double = 1, _ pixmap: Pixmap? = nil) async throws -> Pixmap {
        let engine = FixedEngine(pixmap: pixmap ?? picture, scale: scale)
        return try await Renderer(engine: engine).picture(for: FixedRequest(margins: margins)).pixmap
    }

    private func pixel(_ pixmap: Pixmap, _ x: Int, _ y: Int) -> [UInt8] {
        pixmap.withRow(y) { Array($0[4 * x..<4 * x + 4]) }
    }

    @Test func nothingIsDoneUnasked() async throws {
        #expect(try await finished(Margins()) === picture)
    }

    @Test func trimmingLeavesWhatDiffersFromTheCorner() async throws {
        let trimmed = try await finished(Margins(isTrimmed: true))
        #expect(trimmed.size == PixelSize(width: 3, height: 2))
        for y in 0..<2 { for x in 0..<3 { #expect(pixel(trimmed, x, y) == [0, 0, 255, 255]) } }
    }

    @Test func aPictureOfOneColourStays() async throws {
        let flat = Pixmap.of(5, 4, isOpaque: true) { _, _ in [9, 9, 9, 255] }
        #expect(try await finished(Margins(isTrimmed: true), flat).size == PixelSize(width: 5, height: 4))
    }

    @Test func paddingIsInCSSPixelsAndComesAfterTheTrimming() async throws {
        let margins = Margins(isTrimmed: true, padding: 2, color: Color(red: 0, green: 1, blue: 0))
        let padded = try await finished(margins, scale: 2)
        #expect(padded.size == PixelSize(width: 3 + 8, height: 2 + 8))
        #expect(pixel(padded, 3, 5) == [0, 255, 0, 255])
        #expect(pixel(padded, 4, 4) == [0, 0, 255, 255])
        #expect(pixel(padded, 6, 5) == [0, 0, 255, 255])
        #expect(pixel(padded, 7, 5) == [0, 255, 0, 255])
        #expect(padded.isOpaque)
    }

    @Test func transparentPaddingMakesAPictureTransparent() async throws {
        let half = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        let padded = try await finished(Margins(padding: 1, color: half))
        #expect(!padded.isOpaque)
        #expect(pixel(padded, 0, 0) == [128, 128, 128, 128])
    }

    @Test func aPartKeepsTheWholeInMemory() {
        var whole: Pixmap? = Pixmap.of(4, 4, isOpaque: true) { x, y in [UInt8(x), UInt8(y), 7, 255] }
        let part = whole!.cropped(to: PixelBox(left: 1, top: 2, right: 3, bottom: 3))
        whole = nil
        #expect(part.size == PixelSize(width: 2, height: 1))
        #expect(pixel(part, 0, 0) == [1, 2, 7, 255])
        #expect(pixel(part, 1, 0) == [2, 2, 7, 255])
    }
}

private struct FixedRequest: DrawingRequest {
    var identifier = "fixed"
    var scale = 1.0
    var margins: Margins
}

/// Always draws the same picture.
private struct FixedEngine: Engine {
    var pixmap: Pixmap
    var scale: Double
    var capacity: Int { 1 }

    func draw(_ request: FixedRequest) async throws(DrawingError) -> Drawing {
        Drawing(pixmaps: [pixmap], scale: scale)
    }

    func shutDown() async {}
}
