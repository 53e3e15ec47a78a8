import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// If nothing is visible in a picture although the document has visible content, it is drawn again and then reported.
///
/// WebKit hardly ever draws such a picture, so these tests empty the engine's pictures before they are checked.
final class BlankPictureTests: XCTestCase {
    private let warning = DrawingWarning(.pictureBlank, "the picture")

    /// Draws with an engine whose first pictures have one colour.
    ///
    /// - Returns: the pictures or the error, and how often the engine drew.
    private func draw(
        _ snippet: Snippet, blank: Int, color: Pixel = .white
    ) throws -> (outcome: Result<[RenderedPicture], RenderError>, drawings: Int) {
        try onLoop {
            var count = 0
            Emptying.engine.change = { drawing in
                count += 1
                if count > blank { return drawing }
                var drawing = drawing
                drawing.pictures = drawing.pixmaps.map { .pixels(emptied($0, color)) }
                return drawing
            }
            do {
                return (.success(try await Emptying.renderer.pictures(for: snippet)), count)
            } catch let error as RenderError {
                return (.failure(error), count)
            }
        }
    }

    func testASecondDrawingIsRight() throws {
        let snippet = page("<p>Hello</p>")
        let (outcome, drawings) = try draw(snippet, blank: 1)
        let image = try outcome.get()[0]
        XCTAssertEqual(drawings, 2)
        XCTAssertEqual(image.warnings, [])
        assertSamePixels(image, try OffstageWebKitTests.draw(snippet))
    }

    func testTwoBlankPicturesAreReported() throws {
        let (outcome, drawings) = try draw(page("<p>Hello</p>"), blank: 2)
        let image = try outcome.get()[0]
        XCTAssertEqual(drawings, 2)
        XCTAssertEqual(image.warnings, [warning])
        XCTAssertEqual(
            image.warnings[0].description,
            "has only one colour after two attempts, although the document has visible content: the picture")
    }

    func testACallerThatWantsAllGetsAnErrorInstead() throws {
        var snippet = page("<p>Hello</p>")
        snippet.requiresComplete = true
        guard case .failure(let error) = try draw(snippet, blank: 2).outcome else { return XCTFail("drawn") }
        XCTAssertEqual(error.reason, .incomplete([warning]))
    }

    /// Content that must be visible.
    func testWhatMustBeInThePicture() throws {
        for (body, color) in [
            ("<p>text", Pixel.white), ("<p style='color:white'>text", .red), ("<p>text", .clear),
            ("<div style='height:20px;background:red'></div>", .white),
            ("<div style='height:9px;border-top:3px solid red'></div>", .white),
            ("<img src='\(flatURI(.red))'>", .white),
            ("<div style='overflow:hidden;width:90px'><b>text</b></div>", .white),
        ] {
            XCTAssertEqual(try draw(page(body), blank: 1, color: color).drawings, 2, body)
        }
    }

    /// Documents whose picture may have a single colour.
    func testWhatNeedNotBeInThePicture() throws {
        let cover = "<div style='position:absolute;inset:0;background:white'></div>"
        for body in [
            "<div style='height:20px'></div>", "<p style='color:white'>text", "<p style='color:#fffa'>text", "<p>–",
            "<p style='opacity:0'>text", "<p style='visibility:hidden'>text", "<p style='color:transparent'>text",
            "<style>body{position:relative}</style><p>text</p>\(cover)", "<p style='filter:opacity(0)'>text",
            "<p style='text-indent:-999px'>text",
            "<p style='height:9px;overflow:hidden;padding-top:20px;line-height:80px'>text",
            "<p style='clip-path:inset(50%)'>text",
            "<p style='transform:scale(0)'>text", "<p style='-webkit-text-fill-color:white'>text", "<img alt=''>",
            "<img src='\(flatURI(.white))'>", "<img style='opacity:0' src='\(flatURI(.red))'>",
            "<p style='font-size:0'>text",
            "<div style='background:red'><div style='background:white;height:20px'></div></div>",
            "<style>p{position:relative}p::after{content:'';position:absolute;inset:0;background:white}</style><p>text",
            "<p style='mix-blend-mode:screen'>text", "<p style='z-index:-1;position:relative'>text",
            "<div style='height:20px;border-top:3px solid white'></div>",
            "<svg width=9 height=9><rect width=9 height=9 fill=red /></svg>",
        ] {
            let (outcome, drawings) = try draw(page(body + "<div style='height:20px'></div>"), blank: 2)
            XCTAssertEqual(try outcome.get()[0].warnings, [], body)
            XCTAssertEqual(drawings, 1, body)
        }
    }

    /// Only content inside the picture counts.
    func testContentOutsideThePicture() throws {
        var snippet = page("<div style='height:50px'></div><p>text")
        snippet.geometry.height = .fixed(40)
        XCTAssertEqual(try draw(snippet, blank: 2).drawings, 1)
        snippet.geometry.height = .content
        snippet.selector = Snippet.Selector("div")
        XCTAssertEqual(try draw(snippet, blank: 2).drawings, 1)
        snippet.selector = Snippet.Selector("p")
        XCTAssertEqual(try draw(snippet, blank: 2).drawings, 2)
        snippet.geometry.scale = 1.5
        XCTAssertEqual(try draw(snippet, blank: 2).drawings, 2)
    }

    /// Documents of one colour, with pictures that are not emptied.
    func testPicturesOfOneColour() throws {
        for body in [
            "<div style='height:9px'></div>", "<div style='height:9px;background:red'></div>",
            "<p style='color:white'>x",
        ] {
            XCTAssertEqual(try OffstageWebKitTests.draw(body).warnings, [], body)
        }
        var snippet = page("<p style='margin:0;background:teal;color:teal'>x")
        snippet.background = .transparent
        XCTAssertEqual(try OffstageWebKitTests.draw(snippet).warnings, [])
    }
}

/// An engine for these tests only; it ends with the process.
@MainActor
private enum Emptying {
    static let engine: WebEngine = {
        // Creating the shared renderer first fixes the environment.
        _ = Studio.renderer
        return WebEngine()
    }()
    static let renderer = Renderer(engine: engine)
}

/// A picture of the same size in one colour, with premultiplied alpha.
private func emptied(_ pixmap: Pixmap, _ color: Pixel) -> Pixmap {
    Pixmap.filled(size: pixmap.size, isOpaque: pixmap.isOpaque) { memory in
        for index in stride(from: 0, to: memory.count, by: 4) {
            (memory[index], memory[index + 1]) = (color.blue, color.green)
            (memory[index + 2], memory[index + 3]) = (color.red, color.alpha)
        }
    }
}
