import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Images that end too early, and content that is wider than the picture, cause warnings.
final class CutContentTests: XCTestCase {
    // MARK: Images

    private func file(_ format: FileFormat) throws -> Data {
        let picture = try draw("<div style='height:400px;background:linear-gradient(45deg,red,lime,blue)'></div>")
        return try format.encode(picture.pixmap, scale: 1)
    }

    private let formats: [(name: String, format: FileFormat)] = [
        ("a.png", .png()), ("a.jpg", .jpeg()), ("a.webp", .webp()),
        ("b.webp", .webp(WebPEncoder(compression: .quality(80)))),
    ]

    func testACutImageOfTheBaseFolder() throws {
        for (name, format) in formats {
            let whole = try file(format)
            let body = "<img src=\(name)><div style='background:url(\(name))'>text</div>"
            XCTAssertEqual(try draw(body, base: MemoryFolder([name: whole])).warnings, [], name)
            // Bytes after the image's end are harmless.
            XCTAssertEqual(try draw(body, base: MemoryFolder([name: whole + Data(count: 9)])).warnings, [], name)
            for count in [whole.count / 2, whole.count * 3 / 4, whole.count - 20] {
                let image = try draw(body, base: MemoryFolder([name: whole.prefix(count)]))
                XCTAssertEqual(image.warnings, [DrawingWarning(.imageCut, name)], "\(name), \(count) bytes")
                XCTAssertFalse(image.isComplete)
            }
        }
    }

    func testACutImageInADataURI() throws {
        for (name, format) in formats {
            let type = name.hasSuffix("jpg") ? "jpeg" : String(name.dropFirst(2))
            let whole = try file(format)
            for (count, isCut) in [(whole.count, false), (whole.count * 3 / 4, true)] {
                let uri = "data:image/\(type);base64,\(whole.prefix(count).base64EncodedString())"
                for body in ["<img src='\(uri)'>", "<p style='background:url(\(uri))'>text</p>"] {
                    let expected = isCut ? [DrawingWarning(.imageCut, "data:image/\(type)…")] : []
                    XCTAssertEqual(try draw(body).warnings, expected, "\(name), \(count) bytes")
                }
                XCTAssertEqual(try draw("<p style='width:9px;overflow:hidden'>\(uri)</p>").warnings, [], "only text")
            }
        }
    }

    /// An image of which nothing can be decoded causes a different warning.
    func testAnImageWithoutPixelsIsBroken() throws {
        let image = try draw("<img src=a.jpg>", base: MemoryFolder(["a.jpg": try file(.jpeg()).prefix(30)]))
        XCTAssertEqual(image.warnings, [DrawingWarning(.imageBroken, "a.jpg")])
    }

    // MARK: Width

    private func cut(_ body: String, style: String = "", line: UInt = #line, _ set: (inout Snippet) -> Void = { _ in })
        throws -> String?
    {
        var snippet = page(body, style: style)
        set(&snippet)
        let warnings = try draw(snippet).warnings
        XCTAssertTrue(warnings.allSatisfy { $0.code == .contentCut }, "\(warnings)", line: line)
        return warnings.first?.subject
    }

    func testContentThatIsCutOffAtTheRight() throws {
        let cell = "<td style='min-width:150px;height:20px;background:red'></td>"
        XCTAssertEqual(try cut("<table cellspacing=0 cellpadding=0><tr>\(cell)\(cell)</table>"), "200 CSS px")
        XCTAssertEqual(try cut("<div style='width:130px;height:9px;border:1px solid'></div>"), "32 CSS px")
        XCTAssertNotNil(try cut("<p style='white-space:nowrap'>many words that stay in one line, however long"))
        XCTAssertNotNil(try cut("<p>averyveryverylongwordthatcannotbebrokenanywhere"))
        XCTAssertEqual(try cut("<svg width=140 height=9><rect width=200 height=9 /></svg>"), "40 CSS px")
        let wide = try cut("<div style='width:300px;height:9px;background:red'></div>") {
            $0.geometry.shrinksToFit = true
            $0.geometry.width = 200
        }
        XCTAssertEqual(wide, "100 CSS px")
    }

    func testContentThatIsWhole() throws {
        let wide = "<div style='width:300px;height:9px;background:red'></div>"
        XCTAssertNil(try cut("<div style='height:9px;background:red'></div>"))
        XCTAssertNil(try cut(wide, style: "body{overflow:hidden}"))
        XCTAssertNil(try cut(wide, style: "html{overflow-x:clip}"))
        XCTAssertNil(try cut("<div style='overflow:auto'>\(wide)</div>"))
        XCTAssertNil(try cut("<div style='overflow:hidden;width:300px;height:9px'>a</div>"))
        // Nothing is visible beyond the picture's edge.
        XCTAssertNil(try cut("<svg width=140 height=9><rect width=50 height=9 /></svg><iframe></iframe>"))
        XCTAssertNil(try cut("<div style='width:300px;height:9px'></div>"))
        XCTAssertNil(try cut("<div style='margin-right:-15px'>text</div>"))
        XCTAssertNil(try cut("<div style='position:absolute;left:100%;width:50px'>a menu that waits</div>"))
        XCTAssertNil(try cut("<div style='visibility:hidden'>\(wide)</div>"))
        XCTAssertNil(try cut(wide) { $0.selector = .init("div") })
        XCTAssertNil(
            try cut(wide) {
                $0.geometry.shrinksToFit = true
                $0.geometry.width = 400
            })
    }

    func testAStrictPictureOfCutContentFails() throws {
        var snippet = page("<div style='width:130px;height:9px;background:red'></div>")
        snippet.requiresComplete = true
        XCTAssertThrowsError(try draw(snippet))
    }
}
