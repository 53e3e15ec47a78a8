import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// The content of a finished page, as poppler draws it.
@Suite struct VectorPageTests {
    private let red: [UInt8] = [0, 0, 255, 255]
    private let green: [UInt8] = [0, 255, 0, 255]
    private let white: [UInt8] = [255, 255, 255, 255]

    private func pixel(_ pixmap: Pixmap, _ x: Int, _ y: Int) -> [UInt8] {
        pixmap.withRow(y) { Array($0[4 * x..<4 * x + 4]) }
    }

    /// The PDF file's own page: a CSS px is 3/4 of a point.
    private func pixels(ofFile image: VectorImage) throws -> Pixmap {
        let window = VectorImage.Window(x: 0, y: 0, width: image.pages[0].width, height: image.pages[0].height)
        let page = VectorImage.Page(pointsPerPixel: Paper.pointsPerCSSPixel, window: window)
        return try pixels(of: VectorImage(document: PDFEncoder().encode(image), pages: [page]))
    }

    private func pixels(of image: VectorImage) throws -> Pixmap {
        try PDFToCairo(document: image.firstPage()).pixmap(scale: 1, isOpaque: image.isOpaque)
    }

    @Test func theWindowAlone() throws {
        for pixmap in [try pixels(ofFile: VectorSample.image), try pixels(of: VectorSample.image)] {
            #expect(pixmap.size == PixelSize(width: 60, height: 40))
            #expect(pixel(pixmap, 28, 5) == red)
            #expect(pixel(pixmap, 31, 5) == green)
        }
    }

    @Test func aPageIsAsLargeAsItsCSSPixels() throws {
        var image = VectorSample.image
        image.pages[0].pointsPerPixel = 0.5
        image.pages[0].window = VectorImage.Window(x: 0, y: 0, width: 160, height: 80)
        (image.pages[0].width, image.pages[0].height) = (160, 80)
        let pixmap = try pixels(ofFile: image)
        #expect(pixel(pixmap, 78, 40) == red)
        #expect(pixel(pixmap, 82, 40) == green)
    }

    @Test func theEdgeAroundTheWindow() throws {
        var image = VectorSample.image
        image.background = Color(red: 0, green: 0, blue: 0, alpha: 0)
        image = try #require(image.finished(with: Margins(padding: 10, color: .white)).picture as? VectorImage)
        for pixmap in [try pixels(ofFile: image), try pixels(of: image)] {
            #expect(pixmap.size == PixelSize(width: 80, height: 60))
            #expect(pixel(pixmap, 5, 30) == white)
            #expect(pixel(pixmap, 12, 12) == red)
            #expect(pixel(pixmap, 72, 30) == white)
        }
    }

    @Test func linksLeadOutAndWithinThePage() throws {
        var image = VectorSample.image
        image.pages[0].areas = [
            PictureArea(x: 0, y: 0, width: 10, height: 10, target: "https://example.org/ä b", identifier: nil),
            PictureArea(x: 20, y: 0, width: 10, height: 10, target: "#there", identifier: nil),
            PictureArea(x: 20, y: 0, width: 10, height: 10, target: "#nowhere", identifier: nil),
            PictureArea(x: 40, y: 20, width: 10, height: 10, target: nil, identifier: "there"),
        ]
        let document = try PDFDocument(PDFEncoder().encode(image))
        let links = document.items(of: document[document.page(0), "Annots"])
        try #require(links.count == 2)
        #expect(document.numbers(of: document[links[0], "Rect"]) == [0, 22.5, 7.5, 30])
        #expect(document.text(of: document[document[links[0], "A"], "URI"]) == "https://example.org/%C3%A4%20b")
        #expect(document.items(of: document[links[1], "Dest"]).count == 5)
    }

    @Test func whatIsNoDocumentIsAnErrorOfItsEncoder() {
        var image = VectorSample.image
        image.document = Data("no PDF at all".utf8)
        for format in [FileFormat.pdf(), .svg()] {
            #expect(throws: EncodingError.self) { try format.encode(.vector(image), scale: 1) }
        }
    }

    /// Cairo would misplace them.
    @Test func masksInAnSVGFileArePixels() throws {
        var image = VectorSample.image
        image.document += Data("% /S /Luminosity".utf8)
        #expect(throws: EncodingError.self) { try FileFormat.svg().encode(.vector(image), scale: 1) }
        image.pixels = VectorImage.Pixels(
            pixmap: VectorSample.pixmap(120, 80, [1, 2, 3, 255]), window: image.pages[0].window)
        let file = String(decoding: try FileFormat.svg().encode(.vector(image), scale: 1), as: UTF8.self)
        #expect(file.contains(#"width="60" height="40""#) && file.contains("data:image/png;base64,"))
    }
}
