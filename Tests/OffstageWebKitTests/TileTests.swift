import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// A document that is painted in tiles gives the same pixels as a single snapshot.
final class TileTests: XCTestCase {
    /// An engine whose snapshots have at most 1000 device px per side, and whose tiles have at most 300 rows of 100.
    @MainActor private static let tiling: Renderer = {
        _ = Studio.renderer
        return Renderer(engine: WebEngine(views: 1, limits: SnapshotLimits(side: 1000, tilePixels: 30_000)))
    }()

    private func drawTiled(_ snippet: Snippet) throws -> RenderedPicture {
        try onLoop { try await Self.tiling.picture(for: snippet) }
    }

    /// Rows of text, more than 1000 CSS px high.
    private static let rows = (0..<60).map { index in
        "<p style='margin:0;height:23px;background:hsl(\(index * 11) 70% 80%)'>row \(index)</p>"
    }.joined()

    /// Checks that both pictures are equal, and taller than one snapshot of the tiling engine.
    @discardableResult
    private func assertTilesAreTheWhole(_ snippet: Snippet, line: UInt = #line) throws -> RenderedPicture {
        var snippet = snippet
        // A document that is taller than a snapshot keeps its first viewport.
        if snippet.geometry.height == .content, snippet.geometry.viewportHeight == nil {
            snippet.geometry.viewportHeight = 1
        }
        let (whole, tiled) = (try draw(snippet), try drawTiled(snippet))
        XCTAssertGreaterThan(whole.size.height, 1000, line: line)
        XCTAssertEqual(tiled.warnings, whole.warnings, line: line)
        XCTAssertTrue(tiled.warnings.allSatisfy { $0.code == .contentCut }, "\(tiled.warnings)", line: line)
        assertSameRows(tiled, whole, line: line)
        return tiled
    }

    private func assertSameRows(_ image: RenderedPicture, _ other: RenderedPicture, line: UInt = #line) {
        XCTAssertEqual(image.size, other.size, line: line)
        guard image.size == other.size else { return }
        let different = (0..<image.size.height).filter { y in
            image.pixmap.withRow(y) { row in other.pixmap.withRow(y) { !row.elementsEqual($0) } }
        }
        XCTAssertEqual(different, [], "rows differ", line: line)
    }

    private func assertTilesAreTheWhole(
        _ body: String, style: String = "", scale: Double = 1, line: UInt = #line,
        _ set: (inout Snippet) -> Void = { _ in }
    ) throws {
        var snippet = page(body, style: style, scale: scale)
        set(&snippet)
        try assertTilesAreTheWhole(snippet, line: line)
    }

    func testTextAcrossJoints() throws {
        let words = Array(repeating: "Words across the joints of tiles", count: 100).joined(separator: " ")
        try assertTilesAreTheWhole("<div style='line-height:1.37'>\(words)</div>")
    }

    func testFixedBoxesAppearOnce() throws {
        try assertTilesAreTheWhole(
            """
            <div class=a></div>\(Self.rows)<div class=b><i></i></div><div class=c></div><div class=d>t</div>
            <div style='transform:rotate(3deg)'><b class=a></b></div>
            """,
            style: """
                .a { position:fixed; right:3px; top:5px; width:20px; height:9px; background:red }
                .b { position:fixed; left:3px; bottom:350px; width:20px; height:60px; background:lime; opacity:.7 }
                .b i { position:fixed; right:40px; top:500px; width:9px; height:20px; background:blue }
                .c { position:fixed; inset:280px 30px 310px; margin:auto; width:10px; height:7px; background:black }
                .d { position:fixed; background:yellow; z-index:-1; width:100% }
                body::before { content:''; position:fixed; inset:40px 0 400px; background:#0003 }
                * { transition:all 9s }
                p:nth-child(50)::after { content:'x'; position:fixed; left:50px; top:20px; border:1px solid }
                """
        )
    }

    func testStickyBoxesStandWhereTheUnscrolledDocumentHasThem() throws {
        try assertTilesAreTheWhole(
            "<h1>Top</h1><div><h2>Bottom</h2>\(Self.rows)<h2>Bottom</h2></div><table><thead><tr><th>a<tbody>"
                + String(repeating: "<tr><td>b", count: 40) + "</table><h3>End</h3>",
            style: """
                h1 { position:sticky; top:30px; background:yellow; margin:0 }
                h3 { position:sticky; bottom:40px; background:red; height:20px }
                h2 { position:sticky; bottom:0; background:lime; z-index:3 }
                h2::before { content:'x'; position:sticky; left:3px; top:5px }
                th { position:sticky; top:0; background:#ff08 }
                """)
    }

    func testWhatGoesByTheViewport() throws {
        for viewport in [nil, 90, 700] {
            try assertTilesAreTheWhole(
                "<div class=hero></div>\(Self.rows)<div class=half></div>",
                style: """
                    html { height:100% } body { height:100%; background:linear-gradient(red, blue) }
                    .hero { height:80vh; background:#0f08 } .half { height:50%; background:#00f8 }
                    @media (min-height: 80px) { p { font-weight:bold } } @media (max-height: 300px) { p { color:red } }
                    p:nth-child(7) { width:min(50vmin, 30px) }
                    """
            ) { $0.geometry.viewportHeight = viewport }
        }
    }

    func testBackgrounds() throws {
        for background in [
            "html{background:radial-gradient(red,blue)} body{background:#0f02}",
            "body{background:linear-gradient(45deg,red,blue) 3px 10px/20px 33px, linear-gradient(red, lime)}",
            "html{background:lime;margin:11px;border:3px solid} body{background:linear-gradient(red,blue)}",
            "body{background:repeating-linear-gradient(red, blue 37px) fixed}",
            "p{background:linear-gradient(red,blue) fixed !important} html{background:conic-gradient(red,blue,red)}",
            "html{contain:paint} body{background:linear-gradient(red,blue);margin:20px}",
            "p{border-radius:9px;box-shadow:0 3px 9px #0008;filter:blur(1px)}",
        ] { try assertTilesAreTheWhole(Self.rows, style: background) { $0.geometry.viewportHeight = 50 } }
    }

    /// No file is loaded again for the next tiles: they would be painted before it arrives.
    func testAFileUnderAFixedBackground() throws {
        var files = MemoryFolder(["red.png": flatPNG(.red)])
        files.asked = { _ in try? await Task.sleep(for: .seconds(0.2)) }
        let style = "p{background:linear-gradient(90deg,transparent 50%,blue) fixed,url(red.png) !important}"
        try assertTilesAreTheWhole(Self.rows, style: style) {
            $0.geometry.viewportHeight = 50
            $0.base = files
        }
    }

    func testATransparentBackground() throws {
        try assertTilesAreTheWhole(Self.rows, style: "p { opacity:.6; width:70px }") { $0.background = .transparent }
    }

    func testAbsoluteBoxesOfTheViewport() throws {
        try assertTilesAreTheWhole(
            "<div class=a></div><div class=b><i></i></div>\(Self.rows)<div class=c></div>",
            style: """
                html { margin:7px; border:2px solid }
                .a { position:absolute; right:0; bottom:-700px; width:30px; height:10px; background:red }
                .b { position:absolute; inset:5px 10px -400px; background:#0f05 }
                .b i { position:absolute; inset:50% 0 0 50%; background:blue }
                .c { position:absolute; width:20%; height:400%; left:5px; background:black }
                body::after { content:''; position:absolute; inset:0 20px -100px; background:#00f4 }
                """
        ) { $0.geometry.viewportHeight = 50 }
    }

    func testQuirksModeAndWritingDirection() throws {
        for start in ["", "<!doctype html><html dir=rtl>", "<!doctype html><html style='display:flex;width:80%'>"] {
            var snippet = Snippet(
                "\(start)<body style='background:#ffe;margin:4px'>\(Self.rows)<div style='height:100%'>",
                identifier: "a",
                width: 100)
            snippet.geometry.viewportHeight = 200
            try assertTilesAreTheWhole(snippet)
        }
    }

    func testScales() throws {
        for scale in [2, 3, 1.5, 1.25, 0.75, 2.5, 1.3, 1.37] {
            try assertTilesAreTheWhole(
                Self.rows + Self.rows + "<div class=a></div>",
                style: """
                    body { background:linear-gradient(#fff, #ccc) }
                    .a { position:fixed; left:60px; top:433px; width:20px; height:60px; background:#f008 }
                    p:nth-child(9) { position:sticky; top:0 }
                    """, scale: scale)
        }
    }

    func testPartsAreThoseOfTheWhole() throws {
        var snippet = page(Self.rows + "<b class=f></b>", style: ".f{position:fixed;top:0;height:9px}", scale: 2)
        for (selector, isEach) in [("p:nth-child(55)", false), ("p:nth-child(14n)", true), (".f, body", true)] {
            snippet.selector = .init(selector, isEach: isEach)
            let request = snippet
            let (whole, tiled) = try onLoop {
                (try await Studio.renderer.pictures(for: request), try await Self.tiling.pictures(for: request))
            }
            XCTAssertEqual(whole.count, tiled.count)
            for (part, other) in zip(tiled, whole) { assertSameRows(part, other) }
        }
    }

    func testBoundsAndCutOffHeights() throws {
        for set in [{ $0.geometry.maximumHeight = 800 }, { $0.geometry.viewportHeight = 450 }]
            as [(inout Snippet) -> Void]
        {
            try assertTilesAreTheWhole(
                Self.rows + "<b class=f>f</b>",
                style:
                    ".f { position:fixed; bottom:0; right:0; background:red } body { background:linear-gradient(red,blue) }",
                scale: 1.4, set)
        }
    }

    /// Content beyond the picture's width is never painted.
    func testTheLeftOfAWideDocument() throws {
        try assertTilesAreTheWhole(
            "<b class=f>f</b><div style='width:1200px;background:lime'>\(Self.rows)</div>",
            style:
                ".f { position:fixed; bottom:0; left:0; background:red } body { background:linear-gradient(red,blue) }",
            scale: 1.5)
    }

    func testTheNextSnippetIsDrawnAsEver() throws {
        let next = page(
            "<div style='height:50vh;background:red'></div><b style='position:fixed;bottom:0'>a</b>\(Self.rows)",
            style: "p:nth-child(n+9) { display:none }")
        let before = try drawTiled(next)
        XCTAssertLessThan(before.size.height, 1000)
        let tall = page(Self.rows, scale: 1.5)
        let first = try drawTiled(tall)
        assertSameRows(try drawTiled(next), before)
        assertSameRows(try drawTiled(tall), first)
    }

    func testTheSameWithSeveralViews() throws {
        let snippets = (0..<6).map { page(Self.rows + "<p>\($0)", scale: [1, 2, 1.5][$0 % 3]) }
        let images = try onLoop {
            let renderer = Renderer(
                engine: WebEngine(views: 2, limits: SnapshotLimits(side: 1000, tilePixels: 30_000)))
            let images = try await draw(snippets.reversed(), with: renderer)
            await renderer.finish()
            return Array(images.reversed())
        }
        for (image, snippet) in zip(images, snippets) { assertSameRows(image, try drawTiled(snippet)) }
    }

    /// Only a document that knows the tiles' own elements can move its content like this.
    func testWhatMovesIsNamed() throws {
        let moving = page(Self.rows, style: "[popover] ~ body p:nth-child(40) { margin-top:9px !important }")
        XCTAssertEqual(
            try drawTiled(moving).warnings, [DrawingWarning(.tilesMisplaced, "<html>", reason: "and 22 more")])
        var strict = moving
        strict.requiresComplete = true
        XCTAssertThrowsError(try drawTiled(strict)) { error in
            guard case .incomplete? = (error as? RenderError)?.reason else { return XCTFail("\(error)") }
        }
    }

    /// A tall picture may take longer than the grace period, as long as tiles arrive.
    func testATileProlongsTheGrace() throws {
        try onLoop {
            let limit = TimeLimit()
            var reports: [TimeLimit.Event] = []
            let (stream, ended) = AsyncStream<Void>.makeStream()
            limit.start(seconds: 0.01, grace: 2) { event in
                reports.append(event)
                if event == .grace { ended.finish() }
            }
            // The same limit without `prolongGrace` ends first.
            let other = TimeLimit()
            var isOtherOver = false
            other.start(seconds: 0.01, grace: 2) { if $0 == .grace { isOtherOver = true } }
            while !isOtherOver {
                limit.prolongGrace()
                await Task.yield()
            }
            XCTAssertEqual(reports, [.deadline])
            for await _ in stream {}
            XCTAssertEqual(reports, [.deadline, .grace])
            limit.stop()
        }
    }
}
