import Offstage
import OffstageHTML
import XCTest

/// Colours as CSS writes them.
final class ColorCSSTests: XCTestCase {
    func testColors() throws {
        let colors: [(String, [Double])] = [
            ("white", [255, 255, 255, 1]), ("RebeccaPurple", [102, 51, 153, 1]), ("green", [0, 128, 0, 1]),
            ("transparent", [0, 0, 0, 0]), ("#1e90ff", [30, 144, 255, 1]), ("#f00", [255, 0, 0, 1]),
            ("#F008", [255, 0, 0, 136.0 / 255]), ("#00000080", [0, 0, 0, 128.0 / 255]),
            ("rgb(30, 30, 30)", [30, 30, 30, 1]), ("rgba(0,0,0,0.5)", [0, 0, 0, 0.5]),
            ("RGB( 100% , 0% , 50% )", [255, 0, 127.5, 1]), ("rgb(300, -5, 0)", [255, 0, 0, 1]),
            ("rgba(1e2, +5, .5, 2)", [100, 5, 0.5, 1]),
        ]
        for (text, parts) in colors {
            let color = try XCTUnwrap(Color(css: text), text)
            let found = [color.red * 255, color.green * 255, color.blue * 255, color.alpha]
            for (one, other) in zip(found, parts) { XCTAssertEqual(one, other, accuracy: 1e-9, text) }
        }
    }

    func testOtherTexts() {
        for text in [
            "", " ", "reddish", "#", "#12", "#12345", "#+12", "#ggg", "rgb(1,2)", "rgb(1,2,3,4)", "rgba(1,2,3)",
            "rgb(,,)",
            "rgb(inf,0,0)", "rgb(nan,0,0)", "rgb(0x1p4,0,0)", "rgb(1,2,3", "rgb 1,2,3)", "rgb(1;2;3)", "rgb(1%%,2,3)",
            "hsl(1,2%,3%)", "white;", "rgb(1,2,3)x", "none",
        ] { XCTAssertNil(Color(css: text), text) }
    }
}
