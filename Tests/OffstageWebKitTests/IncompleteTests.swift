import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// What a picture lacks is said, and the picture is there.
final class IncompleteTests: XCTestCase {
    private let box = "<div style='height:10px;background:red'></div>"

    private func assertWarned(
        _ body: String, _ expected: DrawingWarning..., style: String = "", files: MemoryFolder? = MemoryFolder(),
        line: UInt = #line
    ) throws {
        let image = try draw(box + body, style: style, base: files)
        XCTAssertEqual(image.warnings, expected, line: line)
        XCTAssertFalse(image.isComplete, line: line)
        XCTAssertEqual(image.pixel(50, 5), .red, line: line)
    }

    func testACompletePictureHasNoWarnings() throws {
        let image = try draw(box)
        XCTAssertEqual(image.warnings, [])
        XCTAssertTrue(image.isComplete)
    }

    func testAMissingImage() throws {
        try assertWarned("<img src='img/missing.png'>", DrawingWarning(.resourceMissing, "img/missing.png"))
        try assertWarned("<img src='a%20b.png?size=2#x'>", DrawingWarning(.resourceMissing, "a b.png"))
        try assertWarned(
            "<p>", DrawingWarning(.resourceMissing, "missing.png"), style: "p{background:url(missing.png)}")
    }

    func testAnythingIsMissingWithoutABase() throws {
        try assertWarned("<img src=missing.png>", DrawingWarning(.resourceMissing, "missing.png"), files: nil)
    }

    func testAMissingStyleSheetAndFrame() throws {
        try assertWarned("<link rel=stylesheet href=a.css>", DrawingWarning(.resourceMissing, "a.css"))
        try assertWarned("<iframe src=inner.html></iframe>", DrawingWarning(.resourceMissing, "inner.html"))
    }

    func testAMissingFont() throws {
        try assertWarned(
            "<p>text", DrawingWarning(.resourceMissing, "a.woff2"), DrawingWarning(.fontBroken, "Carried"),
            style: "@font-face{font-family:Carried;src:url(a.woff2)} p{font-family:Carried}")
    }

    func testABrokenImage() throws {
        let files = MemoryFolder(text: ["broken.png": "no picture"])
        try assertWarned("<img src=broken.png>", DrawingWarning(.imageBroken, "broken.png"), files: files)
    }

    func testABrokenFont() throws {
        let files = MemoryFolder(text: ["broken.woff2": "no font"])
        try assertWarned(
            "<p>text", DrawingWarning(.fontBroken, "My Font"),
            style: "@font-face{font-family:'My Font';src:url(broken.woff2)} p{font-family:'My Font'}", files: files)
    }

    func testABlockedRemoteImage() throws {
        try assertWarned(
            "<img src='http://example.com/a.png'>", DrawingWarning(.resourceBlocked, "http://example.com/a.png"))
        try assertWarned(
            "<img src='//example.com/a.png'>", DrawingWarning(.resourceBlocked, "//example.com/a.png"))
    }

    func testABlockedRemoteStyleSheetFontAndFrame() throws {
        try assertWarned(
            "<link rel=stylesheet href='https://example.com/a.css'>",
            DrawingWarning(.resourceBlocked, "https://example.com/a.css"))
        try assertWarned(
            "<iframe src='https://example.com/'></iframe>", DrawingWarning(.resourceBlocked, "https://example.com/"))
        try assertWarned(
            "<p>text", DrawingWarning(.resourceBlocked, "https://example.com/a.woff2"),
            style: "@font-face{font-family:Carried;src:url(https://example.com/a.woff2)} p{font-family:Carried}")
    }

    func testAFileURLIsBlocked() throws {
        try assertWarned("<img src='file:///etc/hostname'>", DrawingWarning(.resourceBlocked, "file:///etc/hostname"))
    }

    /// WebKit drops the attribute where page scripts are off.
    func testADocumentInAnAttributeIsMissed() throws {
        try assertWarned("<iframe srcdoc='<p>x'></iframe>", DrawingWarning(.resourceBlocked, "about:srcdoc"))
    }

    func testEachIsNamedOnce() throws {
        try assertWarned(
            "<img src=a.png><img src=a.png><img src=b.png>", DrawingWarning(.resourceMissing, "a.png"),
            DrawingWarning(.resourceMissing, "b.png"))
    }

    /// A data URI is a user's content; what it is suffices to find it.
    func testADataURIIsNamedWithoutItsContent() throws {
        try assertWarned(
            "<img src='data:image/png;base64,c2VjcmV0'>", DrawingWarning(.imageBroken, "data:image/png…"))
        try assertWarned("<img src='data:,secret'>", DrawingWarning(.imageBroken, "data:…"))
        for source in ["data:image/png;base64,c2VjcmV0", "DATA:image/png;base64,c2VjcmV0", "data:font/woff2,c2VjcmV0"] {
            let style =
                "@font-face{font-family:A;src:url('\(source)')} p{font-family:A;background:url('\(source)')}"
            let image = try draw("\(box)<p>text<img src='\(source)'><iframe src='\(source)'></iframe>", style: style)
            XCTAssertFalse(image.isComplete)
            for warning in image.warnings { XCTAssertFalse("\(warning)".contains("c2VjcmV0"), "\(warning)") }
        }
    }

    func testACallerThatWantsAllGetsAnErrorInstead() throws {
        var snippet = page("\(box)<img src=missing.png>", base: MemoryFolder())
        snippet.requiresComplete = true
        XCTAssertEqual(refusal(of: snippet), .incomplete([DrawingWarning(.resourceMissing, "missing.png")]))
        snippet = page(box)
        snippet.requiresComplete = true
        XCTAssertEqual(try draw(snippet).count(of: .red), 1000)
    }
}
