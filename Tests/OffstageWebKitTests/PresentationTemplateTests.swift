import Offstage
import OffstageWebKit
import XCTest

/// Pictures of the template page around a fragment.
final class PresentationTemplateTests: XCTestCase {
    func testColoursWidthAndLineHeight() throws {
        let template = try PresentationTemplate(values: [
            "BODY": "<div style='font-size:20px'>█████</div>", "LINE_HEIGHT": "3", "TEXT_COLOR": "#f00",
            "BACKGROUND_COLOR": "rgb(0,0,255)", "WIDTH": "120", "FONT": "'DejaVu Sans', sans-serif",
        ])
        let image = try draw(template.snippet(identifier: "page"))
        XCTAssertEqual(image.size, PixelSize(width: 120, height: 60))
        XCTAssertEqual(image.pixel(1, 1), .blue)
        XCTAssertEqual(image.pixel(30, 30), .red)
    }

    func testDefaults() throws {
        let image = try draw(PresentationTemplate(body: "<h1>Hello</h1><p>you").snippet(identifier: "page"))
        XCTAssertEqual(image.size.width, 400)
        XCTAssertEqual(image.pixel(399, 0), .white)
        // The margins of the heading and the paragraph are removed.
        XCTAssertLessThan(image.size.height, 100)
    }

    func testATransparentPage() throws {
        let page = PresentationTemplate(body: "&nbsp;", backgroundColor: .transparent)
        XCTAssertEqual(try draw(page.snippet(identifier: "page")).pixel(0, 0), .clear)
    }

    /// Whatever a value contains, the style sheet is correct or an error is thrown.
    func testNothingBreaksOutOfTheStyleSheet() throws {
        let wrong = [
            ("FONT", "x\"; } body { display: none"), ("FONT", "a</style>"), ("FONT", "\\22"), ("FONT", ""),
            ("FONT", "a,,b"), ("FONT", "a\nb"), ("FONT", "\u{D4E}\"x"), ("FONT", "url(x)"), ("FONT", "'a"),
            ("FONT", "a;b"),
            ("TEXT_COLOR", "red;}"), ("TEXT_COLOR", ""), ("BACKGROUND_COLOR", "url(x)"),
            ("BACKGROUND_COLOR", "inherit"),
            ("LINE_HEIGHT", "1;}"), ("LINE_HEIGHT", "0.4"), ("LINE_HEIGHT", "11"), ("LINE_HEIGHT", "nan"),
            ("LINE_HEIGHT", "inf"), ("WIDTH", "0"), ("WIDTH", "100px"), ("WIDTH", "1.5"), ("WIDTH", "32768"),
        ]
        for (token, value) in wrong {
            XCTAssertThrowsError(try PresentationTemplate(values: ["BODY": "x", token: value]), "\(token) \(value)") {
                guard case .invalid(token, _) = $0 as? TemplateError else { return XCTFail("\($0)") }
            }
        }
        let page = try PresentationTemplate(values: [
            "BODY": "__FONT__</style>", "FONT": " Noto Sans , \"A-b_c.d\",serif",
        ])
        XCTAssertTrue(try page.document().contains("font-family: \"Noto Sans\", \"A-b_c.d\", serif;"))
        XCTAssertTrue(try page.document().contains("\n__FONT__</style>\n"))
    }

    func testValuesThatDoNotFit() {
        XCTAssertThrowsError(try PresentationTemplate(values: [:])) {
            XCTAssertEqual($0 as? TemplateError, .missing("BODY"))
        }
        XCTAssertThrowsError(try PresentationTemplate(values: ["BODY": "", "COLOR": "red"])) {
            XCTAssertEqual($0 as? TemplateError, .unused("COLOR"))
        }
        XCTAssertThrowsError(try PresentationTemplate(body: "", lineHeight: 99).document()) {
            XCTAssertEqual("\($0)", "__LINE_HEIGHT__ takes a number from 0.5 to 10, a multiple of the font size")
        }
        XCTAssertThrowsError(try PresentationTemplate(body: "", width: 0).document())
    }
}
