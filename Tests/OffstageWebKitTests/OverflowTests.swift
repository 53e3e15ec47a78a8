import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// If content is wider than the picture, its beginning is shown, on the side where its writing direction starts.
final class OverflowTests: XCTestCase {
    private let wide =
        "<div style='width:300px;height:20px;background:linear-gradient(to right,red 0 100px,green 0 200px,blue 0)'></div>"

    func testTheLeftPartOfALeftToRightDocumentIsShown() throws {
        let image = try draw(wide)
        XCTAssertEqual(image.size, PixelSize(width: 100, height: 20))
        XCTAssertEqual(image.count(of: .red), 2000)
    }

    func testTheRightPartOfARightToLeftDocumentIsShown() throws {
        let snippet = Snippet(
            "<!doctype html><html dir=rtl><body style='margin:0'>\(wide)", identifier: "a", width: 100)
        let image = try draw(snippet)
        XCTAssertEqual(image.size, PixelSize(width: 100, height: 20))
        XCTAssertEqual(image.count(of: .blue), 2000)
    }

    func testAFixedHeightShowsTheSamePart() throws {
        for (direction, color) in [("ltr", Pixel.red), ("rtl", .blue)] {
            var snippet = Snippet(
                "<!doctype html><html dir=\(direction)><body style='margin:0'>\(wide)", identifier: "a", width: 100)
            snippet.geometry.height = .fixed(20)
            XCTAssertEqual(try draw(snippet).count(of: color), 2000, direction)
            snippet.geometry.height = .fixed(10)
            XCTAssertEqual(try draw(snippet).count(of: color), 1000, direction)
            snippet.geometry.height = .fixed(30)
            XCTAssertEqual(try draw(snippet).count(of: color), 2000, direction)
        }
    }

    func testAWiderDocumentAtScaleTwo() throws {
        let image = try draw(wide, scale: 2)
        XCTAssertEqual(image.size, PixelSize(width: 200, height: 40))
        XCTAssertEqual(image.count(of: .red), 8000)
    }

    /// A scroll bar takes no space and is not painted.
    func testNoScrollBarIsInThePicture() throws {
        let image = try draw("<div style='width:300px;height:300px;background:red'></div>")
        XCTAssertEqual(image.count(of: .red), 100 * 300)
    }
}
