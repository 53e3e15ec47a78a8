import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Bytes become the characters that their author meant: the picture equals that of the same text in UTF-8.
final class CharsetTests: XCTestCase {
    private let russian = "Привет, мир"
    private let japanese = "表示テスト"

    /// Written by hand, so that the tests do not depend on the charsets that Foundation can convert.
    private let russianIn1251: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0]
    private let japaneseInShiftJIS: [UInt8] = [0x95, 0x5C, 0x8E, 0xA6, 0x83, 0x65, 0x83, 0x58, 0x83, 0x67]

    private func drawn(_ html: Data) throws -> RenderedPicture {
        try draw(Snippet(document: html, name: "a.html", identifier: "a"))
    }

    private func assertDrawnAs(_ text: String, _ html: Data, line: UInt = #line) throws {
        let expected = try draw(Snippet(document(text), identifier: "a"))
        XCTAssertGreaterThan(expected.pixels.count { $0 != .white }, 100)
        assertSamePixels(try drawn(html), expected, line: line)
    }

    /// The document declares no charset, so the snippet uses the string's.
    private func document(_ text: String, meta: String = "") -> String {
        "<!doctype html><head>\(meta)</head><p style='font:30px sans-serif'>\(text)"
    }

    private func document(_ text: [UInt8], meta: String) -> Data {
        Data(document("", meta: meta).utf8) + text
    }

    func testUTF8IsTheDefault() throws {
        try assertDrawnAs(russian, Data(document(russian).utf8))
    }

    func testWindows1251ByMeta() throws {
        for meta in ["<meta charset=windows-1251>", "<META CHARSET = 'Windows-1251' >", "<meta charset=\"cp1251\"/>"] {
            try assertDrawnAs(russian, document(russianIn1251, meta: meta))
        }
    }

    func testWindows1251ByHttpEquiv() throws {
        let meta = "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1251\">"
        try assertDrawnAs(russian, document(russianIn1251, meta: meta))
    }

    func testShiftJIS() throws {
        try assertDrawnAs(japanese, document(japaneseInShiftJIS, meta: "<meta charset=shift_jis>"))
    }

    func testUTF8ByteOrderMark() throws {
        try assertDrawnAs(russian, Data([0xEF, 0xBB, 0xBF]) + Data(document(russian).utf8))
    }

    /// The byte order mark overrides the document's declaration.
    func testAByteOrderMarkHoldsAgainstMeta() throws {
        let meta = "<meta charset=windows-1251>"
        try assertDrawnAs(russian, Data([0xEF, 0xBB, 0xBF]) + Data(document(russian, meta: meta).utf8))
    }

    func testUTF16ByteOrderMarks() throws {
        let units = Array(document(russian).utf16)
        try assertDrawnAs(russian, Data([0xFF, 0xFE]) + Data(units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }))
        try assertDrawnAs(russian, Data([0xFE, 0xFF]) + Data(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }))
    }

    /// Without a byte order mark, the charset's name decides the byte order. Unpaired surrogates are replaced.
    func testUTF16ByName() throws {
        let text = document(russian + " 😀")
        let expected = try draw(Snippet(text + "\u{FFFD}", identifier: "a"))
        for (name, isBigEndian) in [("utf-16", false), ("UTF-16LE", false), ("utf-16be", true)] {
            let units = Array(text.utf16) + [0xD83D]
            let bytes = units.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
            }
            assertSamePixels(try draw(Snippet(identifier: "a", html: Data(bytes), charset: name)), expected, name)
        }
    }

    /// An XML declaration that names another charset is ignored.
    func testUTF16OfXML() throws {
        let svg =
            "<?xml version='1.0' encoding='iso-8859-1'?><svg xmlns='http://www.w3.org/2000/svg' width='200' height='40'>"
            + "<text y='30' font-size='30'>é</text></svg>"
        var snippet = Snippet(svg, identifier: "a")
        snippet.type = .svg
        let expected = try draw(snippet)
        XCTAssertGreaterThan(expected.pixels.count { $0 != .white }, 20)
        snippet.html = Data([0xFF, 0xFE]) + Data(svg.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        snippet.charset = "UTF-16LE"
        assertSamePixels(try draw(snippet), expected)
    }

    func testADeclarationInACommentIsNone() throws {
        try assertDrawnAs(russian, Data(document(russian, meta: "<!-- <meta charset=windows-1251> -->").utf8))
    }

    func testAnUnknownNameIsUTF8() throws {
        try assertDrawnAs(russian, Data(document(russian, meta: "<meta charset=no-such-charset>").utf8))
    }

    /// As in browsers: a document whose declaration could be read as ASCII cannot be UTF-16.
    func testADeclarationOfUTF16IsUTF8() throws {
        try assertDrawnAs(russian, Data(document(russian, meta: "<meta charset=utf-16>").utf8))
    }

    /// Bytes that are not UTF-8, in a document without a charset, are read as in browsers, but with a warning.
    func testUndeclaredBytesThatAreNotUTF8AreWindows1252() throws {
        let html = Data("<!doctype html><p>日本 Gr".utf8) + [0xFC, 0xDF, 0x80] + Data("e".utf8)
        let snippet = try Snippet(document: html, name: "gruss.html", identifier: "a")
        XCTAssertEqual(snippet.charset, "windows-1252")
        let image = try draw(snippet)
        // The location counts bytes, not characters.
        XCTAssertEqual(
            image.warnings.map(\.description),
            [
                "declares no charset and is not UTF-8; read as windows-1252 (byte 27 is not UTF-8; declare the charset in "
                    + "<meta charset=…>, or name it)"
            ])
        var named = snippet
        named.set(type: nil, charset: "cp1252")
        let other = try draw(named)
        XCTAssertEqual(other.warnings, [])
        assertSamePixels(image, other)
        assertSamePixels(image, try draw(Snippet("<!doctype html><p>æ—¥æœ¬ Grüß€e", identifier: "a")))
    }

    func testXMLDeclarations() throws {
        let html = document(russianIn1251, meta: "")
        let declared = Data("<?xml version='1.0' encoding='windows-1251'?>".utf8) + html
        XCTAssertEqual(try Snippet(document: declared, name: "a", identifier: "a").charset, "windows-1251")
        let both = Data("<?xml version='1.0' encoding=\"koi8-r\"?><meta charset=latin1>".utf8)
        XCTAssertEqual(try Snippet(document: both, name: "a", identifier: "a", type: .xhtml).charset, "koi8-r")
        // In XML, a <meta> has no effect.
        let meta = Data("<html><meta charset='latin1'/></html>".utf8)
        XCTAssertEqual(try Snippet(document: meta, name: "a", identifier: "a", type: .xhtml).charset, "UTF-8")
        XCTAssertEqual(try Snippet(document: meta, name: "a", identifier: "a").charset, "latin1")
    }

    func testASnippetsCharsetHoldsAgainstTheDocuments() throws {
        let html = document(russianIn1251, meta: "<meta charset=shift_jis>")
        let image = try draw(Snippet(identifier: "a", html: html, charset: "windows-1251"))
        assertSamePixels(image, try draw(Snippet(document(russian), identifier: "a")))
    }
}
