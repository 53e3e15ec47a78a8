import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Pictures with a height that the caller sets, and viewports.
final class FixedHeightTests: XCTestCase {
    private func fixed(_ body: String, _ height: Int, style: String = "", scale: Double = 1) -> Snippet {
        var snippet = page(body, style: style, scale: scale)
        snippet.geometry.height = .fixed(height)
        return snippet
    }

    private let stripes = (0..<20).map { "<p style='margin:0;height:10px;background:rgb(\($0 * 10),0,0)'>\($0)</p>" }
        .joined()

    func testLongerContentIsCutOff() throws {
        let image = try draw(fixed("<div style='height:30px;background:red'></div><div style='height:99px'></div>", 40))
        XCTAssertEqual(image.size, PixelSize(width: 100, height: 40))
        XCTAssertEqual(image.count(of: .red), 3000)
        XCTAssertEqual(image.count(of: .white), 1000)
    }

    func testShorterContentStandsOnTheBackground() throws {
        var snippet = fixed("<div style='height:30px;background:red'></div>", 50)
        snippet.background = Color(red: 0, green: 0, blue: 1)
        let image = try draw(snippet)
        XCTAssertEqual(image.size.height, 50)
        XCTAssertEqual(image.count(of: .red), 3000)
        XCTAssertEqual(image.count(of: .blue), 2000)
    }

    /// In browsers, the page's background covers the canvas, even below the content.
    func testThePagesBackgroundFillsTheRest() throws {
        let image = try draw(
            fixed("<div style='height:30px;background:red'></div>", 50, style: "body{background:blue}"))
        XCTAssertEqual(image.count(of: .blue), 2000)
    }

    /// The cropped picture is painted from the viewport only, the other from the whole document.
    func testACutPictureIsTheTopOfTheWholeOne() throws {
        for scale in [1.0, 2] {
            let whole = try draw(page(stripes, scale: scale))
            let cut = try draw(fixed(stripes, 73, scale: scale))
            XCTAssertEqual(cut.size.height, 73 * Int(scale))
            XCTAssertEqual(cut.pixels, Array(whole.pixels.prefix(cut.size.width * cut.size.height)))
        }
    }

    func testAHighDocumentIsCutToo() throws {
        let image = try draw(
            fixed("<div style='height:10px;background:red'></div><div style='height:90000px'></div>", 20))
        XCTAssertEqual(image.count(of: .red), 1000)
    }

    func testTheViewportIsTheFixedHeight() throws {
        XCTAssertEqual(try draw(fixed("<div style='height:50vh;background:red'></div>", 80)).count(of: .red), 4000)
    }

    func testAViewportHeightIsWhatVhRefersTo() throws {
        var snippet = page("<div style='height:100vh;background:red'></div>")
        snippet.geometry.viewportHeight = 60
        XCTAssertEqual(try draw(snippet).size.height, 60)
        snippet.geometry.viewportHeight = 90
        XCTAssertEqual(try draw(snippet).size.height, 90)
    }

    func testAViewportDoesNotMakeALowPictureHigher() throws {
        var snippet = page("<div style='height:17px'></div>")
        snippet.geometry.viewportHeight = 500
        XCTAssertEqual(try draw(snippet).size.height, 17)
    }

    func testAFixedHeightAndAViewportHeightAreTwoThings() throws {
        var snippet = fixed("<div style='height:50vh;background:red'></div><div style='height:300px'></div>", 30)
        snippet.geometry.viewportHeight = 40
        let image = try draw(snippet)
        XCTAssertEqual(image.size.height, 30)
        XCTAssertEqual(image.count(of: .red), 2000)
    }

    func testASnippetDoesNotInheritTheViewportOfTheOneBefore() throws {
        var snippet = page("<div style='height:100vh'></div>")
        snippet.geometry.viewportHeight = 60
        _ = try draw(snippet)
        XCTAssertEqual(try draw(page("<div style='height:100vh'></div>")).size.height, 1)
    }
}
