import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// WebKitGTK 2.52 paints a mark at the origin for a filter outside the picture.
final class FilterTests: XCTestCase {
    private static let up = "position:absolute;top:-500px"

    func testAFilterOutsideThePictureLeavesNoMark() throws {
        for filter in ["blur(2px)", "drop-shadow(0 0 2px red)", "blur(1px) opacity(.5)", "url(#f)"] {
            for body in [
                "<p>a</p><p style='\(Self.up);X'>up</p>",
                "<p>a</p><p style='position:absolute;left:-500px;X'>left</p>",
                "<div style='height:60px;overflow:hidden'><p>a</p><p style='margin-top:100px;X'>below</p></div>",
                "<p>a</p><div style='\(Self.up);X'><p style='X'>both</p></div>",
                "<p>a</p><p class=late style='\(Self.up);X'>up</p>",
            ] {
                let svg = "<svg width=0 height=0><filter id=f><feGaussianBlur stdDeviation=2 /></filter></svg>"
                let style = ".late{transition:filter 9s}"
                let shown = try draw(svg + body.replacing("X", with: "filter:\(filter)"), style: style)
                let plain = try draw(svg + body.replacing("X", with: ""), style: style)
                XCTAssertEqual(shown.pixels, plain.pixels, "\(filter): \(body)")
            }
        }
    }

    func testAPictureLowerThanItsDocumentHasNoMark() throws {
        let rows = String(repeating: "<p>row</p>", count: 30)
        var shown = page(rows + "<p style='filter:blur(2px)'>last")
        var plain = page(rows + "<p>last")
        for height in [Geometry.Height.fixed(40), .content] {
            shown.geometry.height = height
            plain.geometry.height = height
            let count = 100 * 40
            XCTAssertEqual(try draw(shown).pixels.prefix(count), try draw(plain).pixels.prefix(count))
        }
    }

    /// At some distances neither the shadow nor the filter reaches the picture, at others both do.
    func testAnElementBesideThePictureLeavesNoMark() throws {
        let look = "background:lime;box-shadow:0 3px 9px #0008;filter:blur(1px)"
        for distance in stride(from: 0, through: 48, by: 3) {
            for top in [40 + distance, -20 - distance] {
                for text in ["", "x"] {
                    let box = "position:absolute;left:50px;width:30px;height:20px;top:\(top)px;\(look)"
                    var snippet = page("<div style='height:40px'></div><div style='\(box)'>\(text)</div>")
                    snippet.geometry.height = .fixed(40)
                    let picture = try draw(snippet)
                    let corner = (0..<16).map { picture.pixel($0 % 4, $0 / 4) }
                    XCTAssertEqual(corner, Array(repeating: .white, count: 16), "\(top) '\(text)'")
                }
            }
        }
    }

    /// Content that a filter moves or blurs into the picture is painted.
    func testAVisibleFilterIsPainted() throws {
        let shadow = try draw(
            "<div style='height:40px'></div><div style='position:absolute;top:-60px;width:50px;height:20px;background:lime;"
                + "filter:drop-shadow(0 70px 0 red)'></div>")
        XCTAssertEqual(shadow.pixel(20, 20), .red)
        let blurred = try draw(
            "<div style='height:40px'></div><div style='position:absolute;top:-21px;width:50px;height:20px;background:red;"
                + "filter:blur(4px)'></div>")
        XCTAssertNotEqual(blurred.pixel(20, 0), .white)
        // The element's box is outside the picture, but its content is inside.
        let content = try draw(
            "<div style='height:40px'></div><div style='position:absolute;top:-500px;width:50px;height:20px;filter:invert(1)"
                + " blur(1px)'><div style='position:absolute;top:510px;width:50px;height:20px;background:cyan'></div></div>"
        )
        XCTAssertEqual(content.pixel(20, 20), .red)
    }
}
