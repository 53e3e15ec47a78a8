import Offstage
import OffstageWebKit
import XCTest

/// If a resource never arrives, the picture is finished without it at the deadline, and the next picture is complete.
final class DeadlineTests: XCTestCase {
    private let box = "<div style='height:10px;background:red'></div>"

    /// The time limits here are for drawings, not for starting the engine.
    override func setUpWithError() throws { _ = try draw(box) }

    /// Draws with a time limit of half a second.
    private func drawn(_ body: String, style: String = "", hanging: String, line: UInt = #line) throws
        -> RenderedPicture
    {
        var snippet = page(box + body, style: style, base: MemoryFolder(hanging: [hanging]))
        snippet.timeout = 0.5
        let start = ContinuousClock.now
        let image = try draw(snippet)
        let time = start.duration(to: .now)
        XCTAssertGreaterThan(time, .seconds(0.45), line: line)
        try assertNextIsWhole(line: line)
        return image
    }

    private func assertNextIsWhole(line: UInt) throws {
        let image = try draw(
            "<img src=green.png style='display:block'>", width: 10, base: MemoryFolder(["green.png": flatPNG(.green)]))
        XCTAssertEqual(image.count(of: .green), 100, line: line)
        XCTAssertEqual(image.warnings, [], line: line)
    }

    /// Each row has its own deadline: a row with a short one is drawn while an earlier row still waits.
    func testADeadlineIsTheSnippets() throws {
        try onLoop {
            let renderer = Studio.make(views: 2)
            let (stream, release) = AsyncStream<Void>.makeStream()
            var late = MemoryFolder(["green.png": flatPNG(.green)])
            late.asked = { _ in for await _ in stream {} }
            var long = page("<img src=green.png>", base: late)
            (long.identifier, long.timeout) = ("long", 3600)
            var short = page("<img src=never.png>", base: MemoryFolder(hanging: ["never.png"]))
            (short.identifier, short.timeout) = ("short", 0.5)
            async let longImage = renderer.picture(for: long)
            let image = try await renderer.picture(for: short)
            XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "never.png")])
            release.finish()
            let other = try await longImage
            XCTAssertEqual(other.warnings, [])
            await renderer.finish()
        }
    }

    func testAnImageIsNamed() throws {
        let image = try drawn("<img src=never.png width=10 height=10>", hanging: "never.png")
        XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "never.png")])
        XCTAssertEqual(image.pixel(50, 5), .red)
    }

    func testABackgroundImageIsNamed() throws {
        let image = try drawn("<p>", style: "p{background:url(never.png)}", hanging: "never.png")
        XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "never.png")])
        XCTAssertEqual(image.pixel(50, 5), .red)
    }

    func testAFontIsNamed() throws {
        let image = try drawn(
            "<p>text", style: "@font-face{font-family:Late;src:url(never.woff2)} p{font-family:Late}",
            hanging: "never.woff2")
        XCTAssertEqual(
            image.warnings, [DrawingWarning(.deadline, "never.woff2"), DrawingWarning(.deadline, "font Late")])
        XCTAssertEqual(image.pixel(50, 5), .red)
    }

    /// A late font is not also reported as broken, whatever its `font-display`.
    func testAFontOfAScriptIsNamed() throws {
        for display in ["auto", "optional"] {
            var snippet = page(
                box
                    + "<script>const f=new FontFace('Late','url(never.woff2)',{display:'\(display)'});document.fonts.add(f);f.load()</script>",
                base: MemoryFolder(hanging: ["never.woff2"]))
            snippet.runsScripts = true
            snippet.timeout = 1
            let image = try draw(snippet)
            let fonts = image.warnings.filter { $0.code == .fontBroken || $0.code == .scriptError }
            XCTAssertEqual(fonts, [], display)
            XCTAssertTrue(image.warnings.contains(DrawingWarning(.deadline, "never.woff2")), display)
        }
    }

    func testAFrameHasAPicture() throws {
        let image = try drawn("<iframe src=never.html></iframe>", hanging: "never.html")
        XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "never.html")])
        XCTAssertEqual(image.pixel(50, 5), .red)
    }

    /// A browser paints nothing until a page's style sheets have arrived; the deadline ends that wait, too.
    func testAStyleSheetHasAPicture() throws {
        let image = try drawn("<link rel=stylesheet href=never.css>", hanging: "never.css")
        XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "never.css")])
        XCTAssertEqual(image.pixel(50, 5), .red)
    }

    /// WebKit needs a long time for this many comments before the root element, and Offstage's scripts run only
    /// afterwards.
    func testADocumentThatHasNotBegunAtItsDeadline() throws {
        var snippet = page(box)
        snippet.html = Data(("<!doctype html>" + String(repeating: "<!-- -->", count: 15_000) + "<html><p>a").utf8)
        snippet.timeout = 0.1
        snippet.limits.grace = 300
        let image = try draw(snippet)
        XCTAssertEqual(image.warnings.filter { $0.code != .deadline }, [])
        try assertNextIsWhole(line: #line)
    }

    func testACallerThatWantsAllGetsAnError() throws {
        var snippet = page("\(box)<img src=never.png>", base: MemoryFolder(hanging: ["never.png"]))
        snippet.timeout = 0.3
        snippet.requiresComplete = true
        XCTAssertEqual(refusal(of: snippet), .incomplete([DrawingWarning(.deadline, "never.png")]))
        try assertNextIsWhole(line: #line)
    }

    /// Starting the engine may take longer than the snippet's time; the snippet is not at fault.
    func testAnEngineThatStartsAfterTheDeadlineDraws() throws {
        var snippet = page(box)
        snippet.timeout = 0.001
        let image = try onLoop { [snippet] in
            let renderer = Studio.make()
            let image = try await renderer.picture(for: snippet)
            await renderer.finish()
            return image
        }
        XCTAssertEqual(image.count(of: .red), 1000)
    }

    func testWhatComesInTimeIsWaitedFor() throws {
        var files = MemoryFolder(["red.png": flatPNG(.red)])
        files.asked = { _ in try? await Task.sleep(for: .seconds(0.3)) }
        let image = try draw("<img src=red.png style='display:block'>", width: 10, base: files)
        XCTAssertEqual(image.warnings, [])
        XCTAssertEqual(image.count(of: .red), 100)
    }
}
