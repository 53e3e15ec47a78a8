import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A character without a font is reported with its script and the package to install; a drawn character is not
/// reported.
final class MissingGlyphTests: XCTestCase {
    private let unifont = "install the Debian package fonts-unifont"
    private let bring = "embed a font that has it, with @font-face"

    private func assertMissing(
        _ body: String, style: String = "", base: (any ResourceProvider)? = nil,
        _ expected: (subject: String, remedy: String)..., line: UInt = #line
    ) throws {
        let image = try draw(body, style: style, width: 300, base: base)
        XCTAssertEqual(
            image.warnings, expected.map { DrawingWarning(.glyphMissing, $0.subject, reason: $0.remedy) }, line: line)
    }

    func testScriptsThatHaveAFont() throws {
        try assertMissing("<p>Ωλώ Жяї عبپ אשם कखि 漢字 かな 한글 ภาษา 😀 👨‍👩‍👧‍👦 🇬🇷 ❤️ 1️⃣ ∑∫√ 𝑥 𓀀 ዘመን „“ … — €</p>")
    }

    func testACharacterIsNamedWithItsScriptAndThePackage() throws {
        let image = try draw("<p>\u{18B00}</p>", width: 300)
        XCTAssertEqual(
            image.warnings.map(\.description),
            ["no font has U+18B00 \u{18B00} (Khitan Small Script); install the Debian package fonts-unifont"])
        XCTAssertFalse(image.isComplete)
    }

    func testOneWarningAScriptInTheOrderOfTheCharacters() throws {
        try assertMissing(
            "<p>\u{18B01}\u{20000}\u{18B00}\u{10FB0}\u{18B00}</p>",
            ("U+10FB0 \u{10FB0} (Chorasmian)", unifont),
            ("U+18B00 \u{18B00}, U+18B01 \u{18B01} (Khitan Small Script)", unifont),
            ("U+20000 \u{20000} (Han)", "install the Debian package fonts-hanazono"))
    }

    func testManyAreCounted() throws {
        let text = String(String.UnicodeScalarView((0x18B00..<0x18B14).map { Unicode.Scalar($0)! }))
        let image = try draw("<p>\(text)</p>", width: 300)
        XCTAssertEqual(image.warnings.count, 1)
        XCTAssertTrue(image.warnings[0].subject.hasSuffix(" and 12 more (Khitan Small Script)"))
    }

    func testMarksPrivateUseAndWhatIsNoText() throws {
        try assertMissing("<p>a\u{1AC7}</p>", ("U+1AC7 \u{25CC}\u{1AC7} (combining mark)", unifont))
        try assertMissing("<p>\u{F101}</p>", ("U+F101 (private use)", bring))
        try assertMissing("<p>\u{0378}</p>", ("U+0378 (not assigned in this machine's Unicode data)", bring))
        try assertMissing("<p>\u{FFFF}</p>", ("U+FFFF (noncharacter)", "remove it; it is not a text character"))
    }

    /// Joiners, selectors, spaces and direction marks draw nothing, so none of them is reported as missing.
    func testWhatDrawsNothingByItsNature() throws {
        let codes: [UInt32] = [
            0xA0, 0xAD, 0x34F, 0x115F, 0x2003, 0x200B, 0x200D, 0x200F, 0x2028, 0x2060, 0x3000, 0xFEFF,
        ]
        try assertMissing("<p>a\(codes.map { "\(Unicode.Scalar($0)!)b" }.joined())\u{E0100}</p>")
        try assertMissing("<p>\u{845B}\u{E0100} ☎\u{FE0F}</p>")
    }

    func testOnlyWhatIsRenderedCounts() throws {
        try assertMissing(
            "<p hidden>\u{18B00}</p><p style='visibility:hidden'>\u{18B00}</p><svg><title>\u{18B00}</title></svg>"
                + "<template>\u{18B00}</template><select><option>a<option>\u{18B00}</select><!--\u{18B00}-->"
                + "<input type=password value='\u{18B00}'><p class=none title='\u{18B00}'>text",
            style: ".none::before{content:'\u{18B00}';display:none} .unused::after{content:'\u{18B00}'}")
    }

    func testWhereverTextComesFrom() throws {
        for body in [
            "<input size=4 value='\u{18B00}'>", "<input size=4 placeholder='\u{18B00}'>",
            "<textarea cols=4>\u{18B00}</textarea>",
            "<select><option>\u{18B00}</select>", "<p class=before>x", "<p class=after data-x='\u{18B00}'>x",
            "<ul class=list><li>x</ul>", "<svg width=40 height=20><text y=15>\u{18B00}</text></svg>",
            "<style>@media all{b:after{content:'\\18b00'}}</style><b>x</b>",
            "<link rel=stylesheet href='data:text/css,b::before{content:\"%5C18b00\"}'><b>x</b>",
        ] {
            let style =
                ".before::before{content:'\\18B00'} .after:after{content:attr(data-x)} .list{list-style-type:'\u{18B00}'}"
            let image = try draw(body, style: style)
            XCTAssertEqual(image.warnings.map(\.subject), ["U+18B00 \u{18B00} (Khitan Small Script)"], body)
        }
    }

    /// A missing character written as a reference, in a file of the base folder, and in another charset.
    func testHoweverItIsWritten() throws {
        let khitan = ("U+18B00 \u{18B00} (Khitan Small Script)", unifont)
        try assertMissing("<p>&#x18B00;", khitan)
        try assertMissing("<p>&#101120;</p>&unknown; &notin;", khitan)
        let files = MemoryFolder(text: [
            "a.css": "@import 'b.css';", "b.css": "b::after{content:'\\18b00'}",
            "c.css": "b::after{content:'\u{18B00}'}",
        ])
        try assertMissing("<link rel=stylesheet href=a.css><b>x</b>", base: files, khitan)
        try assertMissing("<link rel=stylesheet href=c.css><b>x</b>", base: files, khitan)
        var snippet = Snippet("", identifier: "test")
        snippet.html = try XCTUnwrap("<!doctype html><p>\u{18B00}".data(using: .utf16LittleEndian))
        snippet.charset = "utf-16le"
        XCTAssertEqual(try draw(snippet).warnings.map(\.subject), [khitan.0])
    }

    func testAFrame() throws {
        let files = MemoryFolder(text: ["inner.html": "<!doctype html><meta charset=utf-8><p>\u{18B00}"])
        try assertMissing(
            "<iframe width=50 src=inner.html></iframe>", base: files,
            ("U+18B00 \u{18B00} (Khitan Small Script)", unifont))
    }

    private let style = "@font-face{font-family:Carried;src:url(Asana-Math.otf)} p{font-family:Carried,serif;margin:0}"
    private let fonts = BaseFolder(Repository.fonts)

    /// Asana Math has U+10FDF3, which no installed font has.
    func testAWebFontMayHaveIt() throws {
        try assertMissing("<p>\u{10FDF3}</p>", style: style, base: fonts)
        try assertMissing("<p class=i></p>", style: style + ".i::before{content:'\\10FDF3'}", base: fonts)
        try assertMissing(
            "<p>\u{10FDF3}\u{18B00}</p>", style: style, base: fonts,
            ("U+18B00 \u{18B00} (Khitan Small Script)", unifont))
        // The file exists, but nothing requests it here.
        try assertMissing(
            "<p>x</p><div>\u{10FDF3}</div>", style: style, base: fonts, ("U+10FDF3 (private use)", bring))
    }

    func testALoneSurrogateHarmsNothing() throws {
        XCTAssertEqual(try draw("<p>&#xD800; x</p>", width: 300).warnings, [])
    }
}
