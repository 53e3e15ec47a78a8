import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Pictures that are too large are refused before painting, and the engine continues.
final class SizeLimitTests: XCTestCase {
    private func assertNextIsDrawn(line: UInt = #line) throws {
        XCTAssertEqual(try draw("<div style='height:5px;background:red'></div>").count(of: .red), 500, line: line)
    }

    private let limit = PixelSize(width: 32_767, height: 1_000_000)

    func testAPictureOverTheLimitIsRefusedWithItsSize() throws {
        let snippet = page("<div style='height:500001px'></div>", scale: 2)
        XCTAssertEqual(
            refusal(of: snippet), .tooLarge(measured: PixelSize(width: 200, height: 1_000_002), limit: limit))
        XCTAssertEqual(
            DrawingError.tooLarge(measured: PixelSize(width: 200, height: 1_000_002), limit: limit).description,
            "200 × 1000002 device px is too large; the limit is 32767 × 1000000; use a smaller scale or size")
        try assertNextIsDrawn()
    }

    /// Tiles cannot be narrower than the document.
    func testAPictureThatIsTooWideIsRefused() throws {
        XCTAssertEqual(
            refusal(of: page("<div style='height:5px'></div>", width: 20_000, scale: 2)),
            .tooLarge(measured: PixelSize(width: 40_000, height: 10), limit: limit))
    }

    /// A snapshot cannot be smaller than the viewport.
    func testAViewportOverTheLimitOfASnapshotIsRefused() throws {
        var snippet = page("<p>a", scale: 2)
        snippet.geometry.height = .fixed(20_000)
        XCTAssertEqual(
            refusal(of: snippet),
            .tooLarge(
                measured: PixelSize(width: 200, height: 40_000), limit: PixelSize(width: 32_767, height: 32_767)))
    }

    func testAPictureOverTheLimitOfPixelsIsRefused() throws {
        let snippet = page("<div style='height:60000px'></div>", width: 20_000)
        XCTAssertEqual(
            refusal(of: snippet),
            .tooManyPixels(measured: PixelSize(width: 20_000, height: 60_000), limit: 1 << 30))
        try assertNextIsDrawn()
    }

    /// The limit applies to the picture; cropped content is not part of the file.
    func testAPictureOverItsFormatsLimitIsRefused() throws {
        let limit = FormatLimit(format: "Stamp", side: 300)
        func stamp(_ height: Int, _ fixed: Geometry.Height = .content) -> Snippet {
            var snippet = page("<div style='width:400px;height:\(height)px'></div>", scale: 2)
            snippet.geometry.height = fixed
            snippet.geometry.formatLimit = limit
            return snippet
        }
        XCTAssertEqual(try draw(stamp(150)).size, PixelSize(width: 200, height: 300))
        XCTAssertEqual(
            refusal(of: stamp(151)), .tooLargeForFormat(measured: PixelSize(width: 200, height: 302), limit: limit))
        XCTAssertEqual(try draw(stamp(151, .fixed(150))).size, PixelSize(width: 200, height: 300))
        XCTAssertEqual(
            DrawingError.tooLargeForFormat(measured: PixelSize(width: 200, height: 302), limit: limit).description,
            "200 × 302 device px is too large for Stamp; a side may have at most 300 px; "
                + "use another format, a smaller scale or a fixed height")
    }

    func testWhatIsRefusedIsNotPainted() throws {
        // Painting 12 GB of gradient takes minutes: the grace period would end first, with another error.
        let reason = refusal(
            of: page("<div style='height:999999px;background:linear-gradient(red,blue)'></div>", width: 3000))
        guard case .tooManyPixels = reason else { return XCTFail("\(String(describing: reason))") }
    }

    func testTheLimitOfASnapshotAndBeyond() throws {
        for height in [32_767, 32_768] {
            let image = try draw(
                "<div style='height:\(height - 1)px;background:red'></div><p style='margin:0;height:1px'>", width: 2)
            XCTAssertEqual(image.size.height, height)
            XCTAssertEqual(image.pixel(1, height - 2), .red)
            XCTAssertEqual(image.pixel(1, height - 1), .white)
            XCTAssertEqual(image.warnings, [])
        }
        try assertNextIsDrawn()
    }

    func testValuesOutOfRangeAreRefusedByName() throws {
        func reason(_ change: (inout Snippet) -> Void) -> String? {
            var snippet = page("a")
            change(&snippet)
            guard case .invalidRequest(let text) = refusal(of: snippet) else { return nil }
            return text
        }
        XCTAssertEqual(reason { $0.geometry.width = 0 }, "the width is 0 CSS px; it must be 1 to 32767")
        XCTAssertEqual(reason { $0.geometry.width = 32_768 }, "the width is 32768 CSS px; it must be 1 to 32767")
        XCTAssertEqual(reason { $0.geometry.height = .fixed(-1) }, "the height is -1 CSS px; it must be 1 to 32767")
        XCTAssertEqual(
            reason { $0.geometry.viewportHeight = 0 }, "the viewport height is 0 CSS px; it must be 1 to 32767")
        XCTAssertEqual(reason { $0.geometry.scale = 0.2 }, "the scale is 0.2; it must be 0.25 to 3")
        XCTAssertEqual(reason { $0.geometry.scale = 4 }, "the scale is 4.0; it must be 0.25 to 3")
        XCTAssertEqual(
            reason { $0.timeout = 0 }, "the timeout is 0.0 s; it must be more than 0 and at most 86400")
        XCTAssertNotNil(reason { $0.timeout = .nan })
        XCTAssertNotNil(reason { $0.timeout = .infinity })
        XCTAssertNotNil(reason { $0.geometry.scale = .nan })
        XCTAssertEqual(refusal(of: Snippet(" \n\t", identifier: "a")), .empty)
        XCTAssertEqual(refusal(of: Snippet("", identifier: "a")), .empty)
        try assertNextIsDrawn()
    }
}
