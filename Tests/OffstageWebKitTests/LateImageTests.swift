import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Every image that a page uses is in the picture from the first drawing, however the page refers to it.
final class LateImageTests: XCTestCase {
    private let files = MemoryFolder(["red.png": flatPNG(.red), "sub/green.png": flatPNG(.green)])
    private let red = flatURI(.red)

    /// Draws a body of 10 × 10 px and expects it to have a single colour.
    private func assertFilled(
        _ body: String, style: String = "", color: Pixel = .red, files: MemoryFolder? = nil, line: UInt = #line
    ) throws {
        let image = try draw(body, style: style, width: 10, base: files ?? self.files)
        XCTAssertEqual(image.warnings, [], line: line)
        XCTAssertEqual(image.size, PixelSize(width: 10, height: 10), line: line)
        XCTAssertEqual(image.count(of: color), 100, line: line)
    }

    func testImages() throws {
        for attributes in ["", "loading=lazy", "decoding=async", "loading=lazy decoding=async", "fetchpriority=low"] {
            try assertFilled("<img \(attributes) src=red.png style='display:block'>")
            try assertFilled("<img \(attributes) src='\(red)' style='display:block'>")
        }
    }

    func testALargeImageThatIsDecodedAside() throws {
        let files = MemoryFolder(["large.png": flatPNG(.red, width: 3000, height: 3000)])
        try assertFilled("<img decoding=async src=large.png width=10 height=10 style='display:block'>", files: files)
    }

    /// A browser would fetch these images when they are scrolled into view.
    func testLazyImagesFarDown() throws {
        for source in ["red.png", red] {
            let image = try draw(
                "<div style='height:9000px'></div><img loading=lazy src='\(source)' style='display:block'>", width: 10,
                base: files)
            XCTAssertEqual(image.size.height, 9010)
            XCTAssertEqual(image.count(of: .red), 100)
        }
    }

    func testALazyFrameFarDown() throws {
        let files = MemoryFolder(text: ["inner.html": "<body style='margin:0;background:red'>"])
        let frame =
            "<iframe loading=lazy src=inner.html style='border:0;width:10px;height:10px;display:block'></iframe>"
        let image = try draw("<div style='height:9000px'></div>\(frame)", width: 10, base: files)
        XCTAssertEqual(image.count(of: .red), 100)
    }

    func testBackgroundImages() throws {
        let box = "<p style='margin:0;height:10px;background:"
        try assertFilled("\(box)url(red.png)'>")
        try assertFilled("\(box)url(\(red))'>")
        try assertFilled("\(box)image-set(url(red.png) 1x, url(missing.png) 2x)'>")
        try assertFilled("\(box)image-set(\"red.png\" 1x, \"missing.png\" 2x)'>")
        try assertFilled("\(box)-webkit-image-set(url(red.png) 1x)'>")
        try assertFilled("<p>", style: "p{margin:0;height:10px;background:url(sub/green.png)}", color: .green)
        try assertFilled("<p>", style: "p{margin:0;font-size:0} p::before{content:url(red.png)}")
        try assertFilled("<p>", style: "p{margin:0;height:10px} @media screen { p{background:url(red.png)} }")
        try assertFilled("<p>", style: "p{margin:0;height:10px;--u:url(red.png);background:var(--u)}")
    }

    /// One of several candidates is loaded; the others are ignored.
    func testCandidatesThatAreNotChosenAreNotMissed() throws {
        for candidates in ["url(red.png) 1x, url(missing.png) 2x", "url(missing.png) 2x, url(red.png) 96dpi"] {
            try assertFilled("<p>", style: "p{margin:0;height:10px;background:image-set(\(candidates))}")
        }
        try assertFilled("<img src=red.png srcset='missing.png 2x' style='display:block'>")
        try assertFilled(
            "<picture><source media='(min-width:999px)' srcset=missing.png><img src=red.png style='display:block'></picture>"
        )
    }

    /// The image is so slow that an engine that does not wait for the image draws without it.
    func testASlowCSSImageIsWaitedFor() throws {
        var files = files
        files.asked = { _ in try? await Task.sleep(for: .seconds(0.1)) }
        try assertFilled("<p>", style: "p{margin:0;height:10px;background:url(red.png)}", files: files)
        try assertFilled(
            "<div><template shadowrootmode=open><style>p{margin:0;height:10px;background:url(red.png)}</style><p></p>",
            files: files)
        files.files["inner.html"] = Data("<style>body{margin:0;background:url(red.png)}</style>".utf8)
        try assertFilled(
            "<iframe src=inner.html style='border:0;width:10px;height:10px;display:block'></iframe>", files: files)
    }

    func testAnImageSetOfNamesOnlyInAStyleSheet() throws {
        try assertFilled("<p>", style: "p{margin:0;height:10px;background:image-set('red.png' 1x)}")
    }

    func testListStyleImages() throws {
        let image = try draw(
            "<ul style='margin:0 0 0 20px;padding:0;list-style:url(red.png) inside'><li>", width: 60, base: files)
        XCTAssertEqual(image.count(of: .red), 100)
    }

    func testBorderImages() throws {
        let image = try draw(
            "<p style='margin:0;height:10px;border:5px solid;border-image:url(red.png) 3 stretch'>", width: 40,
            base: files)
        XCTAssertEqual(image.count(of: .red), 40 * 20 - 30 * 10)
    }

    func testMasks() throws {
        // The picture is opaque where the mask is; the mask's second half is empty.
        for mask in ["url(red.png)", "url(\(red))"] {
            let image = try draw(
                "<p style='margin:0;height:10px;background:blue;-webkit-mask:\(mask) no-repeat'>", width: 20,
                base: files)
            XCTAssertEqual(image.count(of: .blue), 100, mask.prefix(12) + "…")
        }
    }

    func testSVGImages() throws {
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10' fill='red'/></svg>"
        let files = MemoryFolder(["a.svg": Data(svg.utf8), "red.png": flatPNG(.red)])
        try assertFilled("<img src=a.svg style='display:block'>", files: files)
        try assertFilled(
            "<svg width=10 height=10 style='display:block'><image href=red.png width=10 height=10 /></svg>",
            files: files)
        try assertFilled("<object data=a.svg type=image/svg+xml style='display:block'></object>", files: files)
    }
}
