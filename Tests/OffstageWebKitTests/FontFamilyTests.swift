import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A substituted font family is reported if the document allows no substitute, and always on request.
final class FontFamilyTests: XCTestCase {
    private let fonts = BaseFolder(Repository.fonts)
    private let face = "@font-face{font-family:'My Own';src:url(Inter.woff2)}"

    private func warned(
        _ families: String, face: String = "", attribute: String? = nil, _ expected: String..., line: UInt = #line
    ) throws {
        let body = attribute ?? "<p style=\"font-family:\(families)\">text</p>"
        let image = try draw(body, style: face, width: 200, base: fonts)
        XCTAssertEqual(image.warnings, expected.map { DrawingWarning(.fontReplaced, $0) }, line: line)
    }

    func testNothingNamedIsThere() throws {
        try warned("Nowhere", "Nowhere")
        try warned("'Not Here', Nowhere", "Not Here, Nowhere")
        try warned("-apple-system, BlinkMacSystemFont", "-apple-system, BlinkMacSystemFont")
        XCTAssertEqual(
            DrawingWarning(.fontReplaced, "Nowhere").description,
            "drawn in another font, because none of these is installed and no generic family is named: Nowhere")
    }

    func testOneIsThereOrAGenericOneMayStandIn() throws {
        for families in [
            "Nowhere, sans-serif", "Nowhere, 'DejaVu Sans'", "'dejavu sans'", "system-ui, Nowhere", "ui-monospace",
            "inherit", "'Noto Sans CJK JP'", "serif",
        ] { try warned(families) }
        try warned("'My Own'", face: face)
        try warned("", attribute: "<p>text<p style='font:menu'>menu<math><mi>x</mi></math><input size=4 value=x><pre>x")
    }

    func testWhereverItIsAskedFor() throws {
        for body in [
            "<font face=Nowhere>x</font>", "<svg width=40 height=20><text y=15 font-family=Nowhere>x</text></svg>",
            "<p style='font:12px/1.2 Nowhere'>x", "<style>p{--f:Nowhere;font-family:var(--f)}</style><p>x",
            "<style>p{font:12px Nowhere!important}</style><p>x",
            "<p style='font-family:Nowhere'><input value=x style='font:inherit'>",
            "<link rel=stylesheet href='data:text/css,p{font-family:Nowhere}'><p>x",
        ] { try warned("", attribute: body, "Nowhere") }
    }

    func testATextThatIsNotSeenAsksForNothing() throws {
        try warned("", attribute: "<p style='font-family:Nowhere'> </p><p hidden style='font-family:Nowhere'>x</p>")
        try warned("", face: "i{font-family:Nowhere}", attribute: "<p>text")
    }

    func testAStyleSheetInTheBaseFolder() throws {
        let files = MemoryFolder(text: [
            "a.css": "p { color: red; font-family: Nowhere }", "b.css": "p{font:1em/2 Nowhere,serif}",
        ])
        XCTAssertEqual(
            try draw("<link rel=stylesheet href=a.css><p>x", base: files).warnings,
            [DrawingWarning(.fontReplaced, "Nowhere")])
        XCTAssertEqual(try draw("<link rel=stylesheet href=b.css><p>x", base: files).warnings, [])
    }

    /// A frame whose document asks for the font family.
    func testAFrame() throws {
        let files = MemoryFolder(text: ["inner.html": "<!doctype html><p style='font-family:Nowhere'>x"])
        XCTAssertEqual(
            try draw("<iframe width=50 src=inner.html></iframe>", base: files).warnings,
            [DrawingWarning(.fontReplaced, "Nowhere")])
    }

    private func strict(_ body: String, style: String = "") -> Snippet {
        var snippet = page(body, style: style, base: fonts)
        snippet.requiresNamedFonts = true
        return snippet
    }

    func testOnRequestEveryFirstFamilyMustBeThere() throws {
        let body =
            "<p style='font-family:Zeta,sans-serif'>x<p style='font-family:Alpha'>x<p style='font-family:Zeta,serif'>x"
        XCTAssertEqual(refusal(of: strict(body)), .fontsReplaced(["Alpha", "Zeta"]))
        XCTAssertEqual(
            DrawingError.fontsReplaced(["Alpha", "Zeta"]).description,
            "no installed font family is named Alpha, Zeta; install it, or embed it in the source")
        // fontconfig has substitutes for these families, but the families themselves are missing.
        XCTAssertEqual(
            refusal(of: strict("<p style='font-family:Helvetica,sans-serif'>x")), .fontsReplaced(["Helvetica"]))
    }

    func testOnRequestTheseAreThere() throws {
        for body in [
            "plain<math><mi>x</mi></math><input size=4 value=x><pre>x</pre>",
            "<p style='font-family:DEJAVU SANS,Nowhere'>x",
            "<p style='font-family:\"My Own\"'>x", "<p style='font-family:sans-serif,Nowhere'>x",
            "<p style='font-family:Nowhere'> </p>",
        ] { XCTAssertEqual(try draw(strict(body, style: face)).warnings, [], body) }
    }

    /// A web font that has not arrived does not count as a substituted family.
    func testOnRequestABrokenWebFontIsNotThere() throws {
        let broken = "@font-face{font-family:Carried;src:url(missing.woff2)}"
        XCTAssertEqual(
            refusal(of: strict("<p style='font-family:Carried,serif'>x", style: broken)), .fontsReplaced(["Carried"]))
    }
}
