import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The size of a picture and the visible part of the document.
final class GeometryTests: XCTestCase {
    private func size(_ html: String, _ geometry: Geometry = Geometry()) throws -> PixelSize {
        try draw(Snippet(identifier: "test", html: Data(html.utf8), geometry: geometry)).size
    }

    func testTheWidthIsTheAskedForAndTheHeightTheContents() throws {
        XCTAssertEqual(try size("<body style='margin:0'><div style='height:37px'>"), PixelSize(width: 400, height: 37))
        XCTAssertEqual(
            try size("<body style='margin:0'><div style='height:37px'>", Geometry(width: 123)),
            PixelSize(width: 123, height: 37))
    }

    func testALowRowAfterAHighOneIsLow() throws {
        XCTAssertEqual(try size("<!doctype html><body style='margin:0'><div style='height:900px'>").height, 900)
        XCTAssertEqual(try size("<!doctype html><body style='margin:0'><div style='height:3px'>").height, 3)
    }

    /// WebKit snaps painted edges to the nearest whole px.
    func testAHeightIsTheNearestWholeNumber() throws {
        XCTAssertEqual(try size("<!doctype html><body style='margin:0'><div style='height:20.4px'>").height, 20)
        XCTAssertEqual(try size("<!doctype html><body style='margin:0'><div style='height:20.6px'>").height, 21)
    }

    func testMarginsOfBodyCountOnAllSides() throws {
        let row = "<div style='height:30px;background:red'></div>"
        let image = try draw(Snippet("<!doctype html><body style='margin:5px 7px 11px 3px'>\(row)", identifier: "a"))
        XCTAssertEqual(image.size.height, 46)
        XCTAssertEqual(image.pixel(2, 20), .white)
        XCTAssertEqual(image.pixel(3, 5), .red)
        XCTAssertEqual(image.pixel(392, 34), .red)
        XCTAssertEqual(image.pixel(393, 20), .white)
        XCTAssertEqual(image.pixel(100, 35), .white)
    }

    func testTheDefaultMarginCountsInBothModes() throws {
        XCTAssertEqual(try size("<!doctype html><div style='height:20px'></div>").height, 36)
        XCTAssertEqual(try size("<div style='height:20px'></div>").height, 36)
    }

    /// In browsers, the last child's margin collapses through the body and counts towards the document's height.
    func testMarginsOfChildrenCountAtTheBottom() throws {
        XCTAssertEqual(
            try size("<!doctype html><body style='margin:0;padding:1px 0'><p style='margin:10px 0;height:10px'>")
                .height,
            32)
    }

    func testQuirksModeHasTheContentsHeightToo() throws {
        let image = try draw(
            Snippet("<body style='margin:0'><div style='height:44px;background:blue'>", identifier: "a"))
        XCTAssertEqual(image.size.height, 44)
        XCTAssertEqual(image.count(of: .blue), 400 * 44)
    }

    func testAbsolutelyPlacedContentBelowTheFlowIsInThePicture() throws {
        let image = try draw(
            "<div style='height:10px'></div><i style='position:absolute;top:50px;left:0;width:20px;height:20px;background:red'></i>"
        )
        XCTAssertEqual(image.size.height, 70)
        XCTAssertEqual(image.count(of: .red), 400)
    }

    func testFloatsAreInThePicture() throws {
        let image = try draw("<div style='float:left;width:10px;height:25px;background:red'></div>")
        XCTAssertEqual(image.size.height, 25)
        XCTAssertEqual(image.count(of: .red), 250)
    }

    func testHiddenOverflowDoesNotMakeAPictureHigher() throws {
        let image = try draw("<div style='height:20px;overflow:hidden'><div style='height:500px'></div></div>")
        XCTAssertEqual(image.size.height, 20)
    }

    func testADocumentWithoutHeightIsAnErrorThatSaysSo() {
        XCTAssertEqual(refusal(of: page("<!-- nothing to see -->")), .zeroHeight)
        XCTAssertEqual(refusal(of: page("<div style='display:none'>a</div>")), .zeroHeight)
    }

    func testADocumentWithoutHeightHasAPictureAtAFixedHeight() throws {
        var snippet = page("")
        snippet.geometry.height = .fixed(12)
        XCTAssertEqual(try draw(snippet).count(of: .white), 1200)
    }
}
