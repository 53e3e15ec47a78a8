import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Web fonts are used in the first drawing.
final class FontTests: XCTestCase {
    private let fonts = BaseFolder(Repository.fonts)

    private func face(_ family: String, _ file: String, _ more: String = "") -> String {
        "@font-face{font-family:\(family);src:url(\(file));\(more)}"
    }

    private let text = "<p style='margin:0;font:40px/1 Carried,monospace'>Offstage</p>"

    func testAWebFontIsUsedAtOnce() throws {
        let plain = try draw(text, width: 300)
        let style = face("Carried", "BebasNeue-Regular.woff2")
        let first = try draw(text, style: style, width: 300, base: fonts)
        XCTAssertEqual(first.warnings, [])
        XCTAssertNotEqual(first.pixels, plain.pixels)
        assertSamePixels(try draw(text, style: style, width: 300, base: fonts), first)
    }

    func testTheSameFontAsADataURIGivesTheSamePicture() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Repository.fonts + "/Vollkorn-Italic.woff2"))
        let uri = "data:font/woff2;base64," + bytes.base64EncodedString()
        let image = try draw(text, style: face("Carried", uri), width: 300)
        XCTAssertEqual(image.warnings, [])
        assertSamePixels(
            image, try draw(text, style: face("Carried", "Vollkorn-Italic.woff2"), width: 300, base: fonts))
    }

    func testAnOpenTypeFontWithoutCompression() throws {
        let image = try draw(text, style: face("Carried", "Asana-Math.otf"), width: 300, base: fonts)
        XCTAssertEqual(image.warnings, [])
        XCTAssertNotEqual(image.pixels, try draw(text, width: 300).pixels)
    }

    /// In a browser, `swap` shows the fallback font first, but not in a picture.
    func testFontDisplayChangesNothing() throws {
        let block = try draw(text, style: face("Carried", "FiraCode-Bold.woff2"), width: 300, base: fonts)
        for display in ["swap", "fallback", "optional"] {
            let style = face("Carried", "FiraCode-Bold.woff2", "font-display:\(display)")
            assertSamePixels(try draw(text, style: style, width: 300, base: fonts), block, display)
        }
    }

    /// Laying out this document takes longer than loading such a font.
    func testAFontOfALongDocumentIsUsed() throws {
        let rows = String(repeating: "<tr><td>row<td><b>cell</b> text", count: 12_000)
        func image(_ display: String) throws -> RenderedPicture {
            var snippet = page(
                "\(text)<table>\(rows)</table>",
                style: face("Carried", "FiraCode-Bold.woff2", "font-display:\(display)"),
                width: 300, base: fonts)
            snippet.geometry.maximumHeight = 60
            return try draw(snippet)
        }
        let block = try image("block")
        for display in ["optional", "fallback", " SWAP "] {
            let image = try image(display)
            XCTAssertEqual(image.warnings, [], display)
            assertSamePixels(image, block, display)
        }
    }

    /// The second face is used only because the first one lacks some of the letters.
    func testFontsOfUnicodeRangesAreAllLoaded() throws {
        let split =
            face("Carried", "BebasNeue-Regular.woff2", "unicode-range:U+4F,U+66")
            + face("Carried", "FiraCode-Regular.woff2", "unicode-range:U+20,U+61-65,U+67-7A")
        let image = try draw(text, style: split, width: 300, base: fonts)
        let named =
            face("One", "BebasNeue-Regular.woff2") + face("Two", "FiraCode-Regular.woff2")
        let expected = try draw(
            """
            <p style='margin:0;font:40px/1 Two,monospace'><span style='font-family:One,monospace;line-height:0'>Off</span>stage</p>
            """, style: named, width: 300, base: fonts)
        XCTAssertEqual(image.warnings, [])
        XCTAssertEqual(columns(of: image), columns(of: expected))
        XCTAssertGreaterThan(columns(of: image).count, 100)
    }

    /// The x positions of ink along the line: equal for the same letters in the same fonts, whatever their baseline.
    private func columns(of image: RenderedPicture) -> [Int] {
        (0..<image.size.width).filter { x in (0..<image.size.height).contains { image.pixel(x, $0) != .white } }
    }

    /// A face that no letter needs is not fetched and not reported as missing.
    func testAnUnusedFontIsNotLoaded() throws {
        let style = face("Carried", "FiraCode-Bold.woff2") + face("Unused", "missing.woff2")
        XCTAssertEqual(try draw(text, style: style, width: 300, base: fonts).warnings, [])
    }

    func testAFontInAFrame() throws {
        let style = face("Carried", "BebasNeue-Regular.woff2")
        let inner = "<!doctype html><meta charset=utf-8><style>body{margin:0}\(style)</style>\(text)"
        let font = try Data(contentsOf: URL(fileURLWithPath: Repository.fonts + "/BebasNeue-Regular.woff2"))
        let files = MemoryFolder(["inner.html": Data(inner.utf8), "BebasNeue-Regular.woff2": font])
        let image = try draw(
            "<iframe style='border:0;display:block;width:300px;height:40px' src=inner.html></iframe>", width: 300,
            base: files)
        XCTAssertEqual(image.warnings, [])
        assertSamePixels(image, try draw(text, style: style, width: 300, base: files))
    }
}
