import OffstageWebKit
import XCTest

/// Tokens in a document, and their replacements.
final class TemplateTests: XCTestCase {
    func testTokensAreReplaced() throws {
        let template = Template("<p title='__NAME__'>__NAME__, __{BODY}__ __LINE_HEIGHT__ __A1__")
        XCTAssertEqual(template.tokens, ["NAME", "BODY", "LINE_HEIGHT", "A1"])
        let values = ["NAME": "Ada", "BODY": "<b>x</b>", "LINE_HEIGHT": "1.5", "A1": ""]
        XCTAssertEqual(try template.filled(with: values), "<p title='Ada'>Ada, <b>x</b> 1.5 ")
    }

    func testTextIsEscaped() throws {
        let text = #"<script>&amp; "quoted" 'single'"#
        let filled = try Template("<i title=\"__T__\">__T__ __{T}__").filled(with: ["T": text])
        let escaped = "&lt;script&gt;&amp;amp; &quot;quoted&quot; &#39;single&#39;"
        XCTAssertEqual(filled, "<i title=\"\(escaped)\">\(escaped) \(text)")
    }

    /// A value is never searched for tokens.
    func testReplacementIsOnePass() throws {
        let template = Template("__A__ __{B}__")
        XCTAssertEqual(try template.filled(with: ["A": "__B__", "B": "__{A}__"]), "__B__ __{A}__")
    }

    func testWhatIsNoToken() throws {
        let text = "__init__ __Name__ _NAME_ __NAME_ __1A__ __A-B__ ____ __{name}__ __{A}_ {A} __A _ __A___B"
        let template = Template(text)
        XCTAssertEqual(template.tokens, ["A"], "the last: a token and an underscore behind it")
        XCTAssertEqual(
            try template.filled(with: ["A": "x"]), text.replacingOccurrences(of: "__A___B", with: "x_B"))
    }

    func testTokensSideBySide() throws {
        XCTAssertEqual(try Template("__A____B____{A}__").filled(with: ["A": "1", "B": "2"]), "121")
        XCTAssertEqual(try Template("__A__B__").filled(with: ["A": "1"]), "1B__")
    }

    /// An accent combines with the character before it when Swift compares text by characters.
    func testAnAccentBehindAToken() throws {
        XCTAssertEqual(try Template("__A__\u{301}").filled(with: ["A": "e"]), "e\u{301}")
        XCTAssertEqual(try Template("__A__").filled(with: ["A": "<\u{338}"]), "&lt;\u{338}")
    }

    func testValuesThatDoNotFit() {
        let template = Template("__A__ __B__")
        XCTAssertThrowsError(try template.filled(with: ["A": ""])) {
            XCTAssertEqual(
                "\($0)", "there is no value for __B__; give one, or remove the token from the template")
        }
        XCTAssertThrowsError(try template.check(["A", "B", "D", "C"])) {
            XCTAssertEqual("\($0)", "the template has no __C__; remove the value, or add the token to the template")
        }
    }
}
