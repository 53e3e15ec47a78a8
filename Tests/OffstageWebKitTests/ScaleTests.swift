import Offstage
import OffstageWebKit
import XCTest

/// The device scale factor is real: the page sees it and uses it to choose its images.
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

    /// A line of one device px exists at scale 2 only if the engine lays the page out at that scale.
    func testAHairlineIsOneDevicePixel() throws {
        let image = try draw("<div style='height:10px;border-top:0.5px solid red'></div>", width: 10, scale: 2)
        XCTAssertEqual(image.count(of: .red), 20)
    }

    private static let card = """
        <h2>Heading</h2><p>The quick brown fox jumps over the lazy dog.</p><div><b>boxed</b></div><small>Small print of a card</small>
        """
    private static let cardStyle = """
        h2 { font: 16px/20px sans-serif } p { font: 9px/11px serif } small { font: 7px/1.3 sans-serif }
        div { border: 1px solid #888; padding: 3px; width: 17% }
        """

    /// The width and the line breaks follow from the font sizes, the height from these and from borders.
    func testTheLayoutIsTheSameAtEveryScale() throws {
        let whole = try draw(Self.card, style: Self.cardStyle, width: 61)
        for scale in [0.25, 0.5, 0.75, 1.1, 1.25, 1.5, 2.5, 2.75] {
            let image = try draw(Self.card, style: Self.cardStyle, width: 61, scale: scale)
            func scaled(_ length: Int) -> Int { Int((Double(length) * scale).rounded(.up)) }
            XCTAssertEqual(image.size.width, scaled(whole.size.width), "scale \(scale)")
            XCTAssertEqual(image.size.height, scaled(whole.size.height), "scale \(scale)")
            XCTAssertEqual(image.scale, scale)
        }
    }

    func testAFractionalScaleIsTheMeanOfTheNextWholeOne() throws {
        let (whole, half) = (
            try draw(Self.card, style: Self.cardStyle, width: 60),
            try draw(Self.card, style: Self.cardStyle, width: 60, scale: 0.5)
        )
        for y in 0..<half.size.height where 2 * y + 1 < whole.size.height {
            for x in 0..<30 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { whole.pixel(2 * x + $0, 2 * y + $1) }
                let mean = (four.map { Int($0.green) }.reduce(0, +) + 2) / 4
                XCTAssertEqual(Int(half.pixel(x, y).green), mean, "\(x), \(y)")
            }
        }
    }

    /// A part has the same pixels as the corresponding area of the whole picture.
    func testPartsAtAFractionalScale() throws {
        var snippet = page(Self.card, style: Self.cardStyle, width: 61, scale: 1.25)
        let whole = try draw(snippet)
        snippet.keepsAreas = true
        snippet.selector = .init("p, div, b", isEach: true)
        let request = snippet
        let parts = try onLoop { try await Studio.renderer.pictures(for: request) }
        XCTAssertEqual(parts.count, 3)
        for part in parts {
            let isThere = (0...whole.size.height - part.size.height).contains { top in
                (0...whole.size.width - part.size.width).contains { left in
                    (0..<part.size.height).allSatisfy { y in
                        part.pixmap.withRow(y) { row in
                            whole.pixmap.withRow(top + y) {
                                $0[4 * left..<4 * (left + part.size.width)].elementsEqual(row)
                            }
                        }
                    }
                }
            }
            XCTAssertTrue(isThere, "\(part.size)")
        }
    }

    /// The order does not matter: after drawing at one scale, a view draws at another scale like a new view.
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
