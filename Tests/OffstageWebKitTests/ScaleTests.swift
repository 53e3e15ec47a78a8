import Offstage
import OffstageWebKit
import XCTest

/// The device scale factor is real: the page sees it and chooses its pictures by it.
final class ScaleTests: XCTestCase {
    private let files = MemoryFolder([
        "1x.png": flatPNG(.red), "2x.png": flatPNG(.green, width: 20, height: 20),
        "3x.png": flatPNG(.blue, width: 30, height: 30),
    ])
    private let expected: [(scale: Double, color: Pixel)] = [(1, .red), (2, .green), (3, .blue)]

    private func assertChosenByScale(_ body: String, style: String = "", line: UInt = #line) throws {
        for (scale, color) in expected {
            let image = try draw(body, style: style, width: 10, scale: scale, base: files)
            let side = 10 * Int(scale)
            XCTAssertEqual(image.size, PixelSize(width: side, height: side), line: line)
            XCTAssertEqual(image.count(of: color), side * side, "scale \(scale)", line: line)
            XCTAssertEqual(image.scale, scale, line: line)
            XCTAssertEqual(image.warnings, [], line: line)
        }
    }

    func testAPictureHasScaleTimesThePixels() throws {
        for scale in [1.0, 2, 3] {
            let image = try draw("<div style='height:7px'></div>", width: 33, scale: scale)
            XCTAssertEqual(image.size, PixelSize(width: 33 * Int(scale), height: 7 * Int(scale)))
        }
    }

    func testSrcset() throws {
        try assertChosenByScale(
            "<img src=1x.png srcset='1x.png 1x, 2x.png 2x, 3x.png 3x' width=10 height=10 style='display:block'>")
    }

    func testSrcsetByWidth() throws {
        try assertChosenByScale(
            "<img srcset='1x.png 10w, 2x.png 20w, 3x.png 30w' sizes=10px width=10 height=10 style='display:block'>")
    }

    func testPictureElement() throws {
        try assertChosenByScale(
            """
            <picture><source media='(min-resolution:3dppx)' srcset=3x.png>
            <source media='(min-resolution:2dppx)' srcset=2x.png>
            <img src=1x.png width=10 height=10 style='display:block'></picture>
            """)
    }

    func testImageSet() throws {
        try assertChosenByScale(
            "<p></p>",
            style: """
                p { margin: 0; height: 10px;
                    background: image-set(url(1x.png) 1x, url(2x.png) 2x, url(3x.png) 3x) 0 0/10px 10px }
                """)
    }

    func testResolutionMediaQueries() throws {
        try assertChosenByScale(
            "<p></p>",
            style: """
                p { margin: 0; height: 10px; background: red }
                @media (min-resolution: 192dpi) { p { background: green } }
                @media (-webkit-min-device-pixel-ratio: 3) { p { background: blue } }
                """)
    }

    /// A line of one device px exists at scale 2 only if the engine lays out at that scale.
    func testAHairlineIsOneDevicePixel() throws {
        let image = try draw("<div style='height:10px;border-top:0.5px solid red'></div>", width: 10, scale: 2)
        XCTAssertEqual(image.count(of: .red), 20)
    }

    /// The order matters to nobody: a view that drew at one scale draws at another as a fresh one would.
    func testScalesOneAfterAnother() throws {
        for scale in [1.0, 3, 1, 2, 3, 2, 1] {
            let image = try draw(
                "<img src=1x.png srcset='1x.png 1x, 2x.png 2x, 3x.png 3x' width=10 height=10 style='display:block'>",
                width: 10, scale: scale, base: files)
            XCTAssertEqual(image.count(of: expected[Int(scale) - 1].color), Int(100 * scale * scale))
        }
    }

    func testScalesAtTheSameTimeInSeveralViews() throws {
        let row = "<img srcset='1x.png 1x, 2x.png 2x, 3x.png 3x' width=10 height=10 style='display:block'>"
        let snippets = (0..<24).map { page(row, width: 10, scale: Double($0 % 3 + 1), base: files) }
        let images = try onLoop {
            let renderer = Studio.make(views: 3)
            let images = try await draw(snippets, with: renderer)
            await renderer.finish()
            return images
        }
        XCTAssertEqual(images.count, 24)
        for image in images {
            let (scale, color) = expected[Int(image.scale) - 1]
            XCTAssertEqual(image.size.width, Int(10 * scale))
            XCTAssertEqual(image.count(of: color), Int(100 * scale * scale))
        }
    }
}
