import Offstage
import OffstageWebKit
import XCTest

/// The background of the document, and alpha in the picture.
final class BackgroundTests: XCTestCase {
    private func drawn(_ body: String, on background: Color, style: String = "") throws -> RenderedPicture {
        var snippet = page(body, style: style)
        snippet.background = background
        return try draw(snippet)
    }

    private let empty = "<div style='height:10px'></div>"

    func testTheDefaultIsWhiteAndOpaque() throws {
        let image = try draw(empty)
        XCTAssertEqual(image.count(of: .white), 1000)
        XCTAssertTrue(image.pixmap.isOpaque)
    }

    func testAColour() throws {
        let image = try drawn(empty, on: Color(red: 0, green: 0, blue: 1))
        XCTAssertEqual(image.count(of: .blue), 1000)
        XCTAssertTrue(image.pixmap.isOpaque)
    }

    func testTransparentIsClearThroughout() throws {
        let image = try drawn(empty, on: .transparent)
        XCTAssertEqual(image.count(of: .clear), 1000)
        XCTAssertFalse(image.pixmap.isOpaque)
    }

    func testAHalfTransparentColour() throws {
        let image = try drawn(empty, on: Color(red: 1, green: 0, blue: 0, alpha: 0.5))
        let pixel = image.pixel(50, 5)
        XCTAssertEqual(Int(pixel.alpha), 128, accuracy: 1)
        XCTAssertEqual(pixel, Pixel(255, 0, 0, pixel.alpha))
        XCTAssertEqual(image.count(of: pixel), 1000)
        XCTAssertFalse(image.pixmap.isOpaque)
    }

    func testABackgroundDoesNotStayForTheNext() throws {
        _ = try drawn(empty, on: Color(red: 1, green: 0, blue: 0))
        _ = try drawn(empty, on: .transparent)
        XCTAssertEqual(try draw(empty).count(of: .white), 1000)
    }

    func testAHalfTransparentBoxHasItsAlphaInThePicture() throws {
        for (alpha, expected) in [("0.5", 128), ("0.25", 64), ("0.1", 26), ("0.9", 230)] {
            let box = "<div style='height:10px;background:rgba(0,0,255,\(alpha))'></div>"
            let pixel = try drawn(box, on: .transparent).pixel(50, 5)
            XCTAssertEqual(Int(pixel.alpha), expected, accuracy: 1, alpha)
            XCTAssertEqual(pixel, Pixel(0, 0, 255, pixel.alpha), alpha)
        }
    }

    func testAHalfTransparentBoxIsMixedWithAnOpaqueBackground() throws {
        let box = "<div style='height:10px;background:rgba(0,0,255,.5)'></div>"
        let pixel = try drawn(box, on: .white).pixel(50, 5)
        XCTAssertEqual(Int(pixel.red), 127, accuracy: 1)
        XCTAssertEqual(pixel, Pixel(pixel.red, pixel.red, 255))
    }

    func testThePagesOwnBackgroundHoldsAgainstTransparent() throws {
        XCTAssertEqual(
            try drawn(empty, on: .transparent, style: "body{background:green}").count(of: .green), 1000)
    }

    /// A fringe would show as the edge's colour mixed with white or black: darker or lighter than the shape.
    func testAnAntialiasedEdgeHasNoFringe() throws {
        let color = Pixel(230, 60, 20)
        let image = try drawn(
            "<div style='width:60px;height:60px;border-radius:50%;background:\(color.css)'></div>", on: .transparent)
        let edge = image.pixels.filter { $0.alpha > 0 && $0.alpha < 255 }
        XCTAssertGreaterThan(edge.count, 100)
        for pixel in edge {
            // A painter's premultiplied component is exact to one step, which is 255 / alpha in straight colour.
            let step = max(2, 255 / Int(pixel.alpha) + 1)
            for (found, expected) in [
                (pixel.red, color.red), (pixel.green, color.green), (pixel.blue, color.blue),
            ] { XCTAssertEqual(Int(found), Int(expected), accuracy: step, "\(pixel)") }
        }
        // A fringe would shift most pixels in one direction; rounding shifts them in both.
        let strong = edge.filter { $0.alpha >= 64 }
        let mean = strong.reduce(0.0) { $0 + Double($1.green) } / Double(strong.count)
        XCTAssertEqual(mean, Double(color.green), accuracy: 1.5)
    }

    func testTextOnATransparentBackgroundHasItsColourAndGreyEdges() throws {
        let image = try drawn("<b style='font:40px sans-serif;color:#f00'>Offstage</b>", on: .transparent)
        let ink = image.pixels.filter { $0.alpha > 0 }
        XCTAssertGreaterThan(ink.count { $0.alpha < 255 }, 50)
        // Subpixel antialiasing would colour the edges green and blue.
        for pixel in ink {
            XCTAssertEqual(pixel, Pixel(255, 0, 0, pixel.alpha))
        }
    }
}
