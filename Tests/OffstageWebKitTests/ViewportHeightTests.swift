import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Documents that depend on the viewport's height, in pictures that are as tall as their content.
final class ViewportHeightTests: XCTestCase {
    private static let block = "<div style='height:60px;background:red'></div>"

    func testARootOfFullHeightLosesNoScrollingArea() throws {
        let image = try draw(
            """
            <div class=app><main>\(Self.block)\(Self.block)</main><footer></footer></div>
            """,
            style: """
                html,body,.app{height:100%} .app{display:flex;flex-direction:column} main{flex:1;overflow:auto}
                footer{height:20px;background:blue}
                """)
        XCTAssertEqual(image.size.height, 140)
        XCTAssertEqual(image.count(of: .red), 100 * 120)
        XCTAssertEqual(image.count(of: .blue), 100 * 20)
    }

    /// Only scrolling areas whose height follows the viewport's are expanded.
    func testAreasOfAPageIn100vh() throws {
        let style = """
            .app{height:100vh;display:grid;grid-template:20px 1fr/40px 1fr} header{grid-column:1/3} nav,main{overflow:auto}
            .own{max-height:10px;overflow:auto}
            """
        let image = try draw(
            """
            <div class=app><header></header><nav>\(Self.block)</nav><main>\(Self.block)\(Self.block)<div class=own>\(Self.block)</div></main></div>
            """, style: style)
        XCTAssertEqual(image.size.height, 20 + 120 + 10)
        XCTAssertEqual(image.count(of: .red), 40 * 60 + 60 * 130)
    }

    func testAtTheLowerEdge() throws {
        for position in ["absolute", "fixed"] {
            let image = try draw(
                "\(Self.block)<i style='position:\(position);bottom:8px;left:0;width:10px;height:10px;background:blue'></i>"
            )
            XCTAssertEqual(image.size.height, 60, position)
            XCTAssertEqual(image.pixel(5, 45), .blue, position)
            XCTAssertEqual(image.count(of: .blue), 100, position)
        }
    }

    func testInTheMiddle() throws {
        let middle = "position:fixed;top:50%;left:0;width:100px;transform:translateY(-50%)"
        for (body, style) in [
            (Self.block, "body{height:100vh;display:flex;flex-direction:column;justify-content:center}"),
            (Self.block, "html,body{height:100%} body{display:grid;align-items:center}"),
            ("<section>\(Self.block)</section>", "section{height:100dvh;display:grid;align-items:center}"),
            ("<div style='\(middle)'>\(Self.block)</div>", ""),
        ] {
            let image = try draw(body, style: style)
            XCTAssertEqual(image.size.height, 60, style)
            XCTAssertEqual(image.count(of: .red), 6000, style)
        }
    }

    func testABackgroundOfTheWholePage() throws {
        let gradient = "linear-gradient(red 50%,blue 50%)"
        let clear = "<div style='height:100px'></div>"
        for style in [
            "html,body{height:100%} body{background:\(gradient)}", "body{min-height:100vh;background:\(gradient)}",
            "body{background:\(gradient) fixed}",
            "body::before{content:'';position:fixed;inset:0;background:\(gradient)}",
            "@media (min-height:50px){body{background:\(gradient)}}",
        ] {
            let image = try draw(clear, style: style)
            XCTAssertEqual(image.size.height, 100, style)
            XCTAssertEqual(image.count(of: .red), 5000, style)
            XCTAssertEqual(image.count(of: .blue), 5000, style)
        }
    }

    /// The picture is no taller than its content: `100vh` is the rest of that height.
    func testAPictureIsNotHigherThanItsContent() throws {
        let bar = "<div style='height:30px;background:blue'></div>"
        let image = try draw("<div style='min-height:100vh'>\(Self.block)</div>\(bar)")
        XCTAssertEqual(image.size.height, 90)
        XCTAssertEqual(image.count(of: .blue), 3000)
        let sections = String(repeating: "<section style='min-height:100vh'>\(Self.block)</section>", count: 3)
        XCTAssertEqual(try draw(sections).size.height, 180)
        XCTAssertEqual(try draw("<div style='margin:10px 0;min-height:100vh'>\(Self.block)</div>").size.height, 80)
    }

    /// The dynamic viewport is as tall as the others, even while WebKit paints.
    func testContentBelowTheDynamicViewport() throws {
        let end = "<div style='height:30px;background:blue'></div>"
        for (style, hero) in [
            ("div.hero{min-height:100dvh}", "<div class=hero>"),
            ("@media screen{div{&.hero{min-height:calc(50dvh + 50DVB)}}}", "<div class=hero>"),
            (":root{--all:100dvh}.hero{min-height:var(--all)}", "<div class=hero>"),
            ("", "<div style='min-height:100dvmax'>"),
        ] {
            for viewport in [nil, 60] {
                var snippet = page("\(hero)\(Self.block)</div>\(end)", style: style)
                if style.isEmpty { snippet.geometry.width = 20 }
                snippet.geometry.viewportHeight = viewport
                let image = try draw(snippet)
                XCTAssertEqual(image.size.height, 90, style)
                XCTAssertEqual(image.count(of: .blue), 30 * image.size.width, style)
            }
        }
    }

    /// A fixed background, whatever its URL contains.
    func testAFixedBackgroundFromAData() throws {
        let svg = """
            data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 2' preserveAspectRatio='none'>\
            <style>{a:(b)}</style><rect width='1' height='1' fill='red'/><rect y='1' width='1' height='1' fill='blue'/>\
            \(String(repeating: " ", count: 400))</svg>
            """
        let encoded =
            "data:image/svg+xml;base64," + Data(svg.dropFirst("data:image/svg+xml,".count).utf8).base64EncodedString()
        for url in ["url(\"\(svg.replacing("<", with: "%3C"))\")", "url(\(encoded))", "url( '\(encoded)' )"] {
            let image = try draw(
                "<div style='height:100px'></div>", style: "body{background:#fff \(url) fixed center/cover no-repeat}")
            XCTAssertEqual(image.size.height, 100, url)
            XCTAssertEqual(image.pixel(50, 20), .red, url)
            XCTAssertEqual(image.pixel(50, 80), .blue, url)
        }
    }

    /// If no content height can be found and something would be lost, the viewport has an ordinary window's height.
    func testAnOrdinaryWindow() throws {
        let red = "background:red"
        let end = "<div style='height:30px;background:blue'></div>"
        let svg = """
            <svg viewBox='0 0 1 1' preserveAspectRatio=none style='display:block;width:100%;height:100%'>\
            <rect width=1 height=1 fill=red /></svg>
            """
        for (body, style, height) in [
            ("<div style='height:50vh;\(red)'></div>\(end)", "", 330),
            ("<div style='height:100vh;\(red)'></div>", "", 600),
            ("<div style='height:50vh'>\(svg)</div>\(end)", "", 330),
            ("<main></main>", "html,body,main{height:100%} main{\(red)}", 600),
            ("<section>1</section><section>2</section><section>3</section>", "section{height:100vh;\(red)}", 1800),
            ("<p>aaa<p>b", "html{font-size:5vh} p{margin:0;width:1em;line-height:30px;\(red)}", 60),
            ("<i></i>\(end)", "i{display:block;height:50vmin;\(red)}", 80),
        ] {
            let image = try draw(body, style: style)
            XCTAssertEqual(image.size.height, height, "\(style) \(body)")
            XCTAssertGreaterThan(image.count(of: .red), 1000, "\(style) \(body)")
        }
    }

    /// The same applies to other file formats. No second layout is needed if the first one shows everything.
    func testAnOrdinaryWindowOnPaper() throws {
        let snippet = page(
            "<div style='height:50vh;background:red'></div><div style='height:30px;background:blue'></div>")
        let files = try onLoop {
            try await Studio.renderer.files(for: snippet, as: [FileVariant(.pdf()), FileVariant(.svg())])[0]
        }
        let pdf = try PaintedPage(pdf: try XCTUnwrap(files.files[0].dataAtOnce))
        guard pdf.size.height == 330 else { return XCTFail("\(pdf.size)") }
        XCTAssertGreaterThan(pdf[50, 250].red, 200)
        XCTAssertGreaterThan(pdf[50, 320].blue, 200)
        let sections = String(repeating: "<section style='min-height:100vh'>\(Self.block)</section>", count: 3)
        XCTAssertEqual(try draw("\(sections)<p style='font-size:max(16px,0.1vh)'>a").size.height, 234)
    }

    /// A scrolling area whose height is a share of the viewport shows all its content.
    func testAreasOfAShare() throws {
        for share in [50, 33, 10] {
            let image = try draw(
                "<div class=p>\(Self.block)\(Self.block)\(Self.block)</div><footer></footer>",
                style: ".p{max-height:\(share)vh;overflow:auto} footer{height:20px;background:blue}")
            XCTAssertEqual(image.size.height, 200, "\(share)")
            XCTAssertEqual(image.count(of: .red), 100 * 180, "\(share)")
            XCTAssertEqual(image.count(of: .blue), 100 * 20, "\(share)")
        }
        // A picture that showed every area in full would be mostly empty.
        let sections = (0..<12).map { "<section>\($0 == 5 ? Self.block + Self.block : "")</section>" }.joined()
        let image = try draw(
            sections, style: "section{height:8vh;overflow:auto}")
        XCTAssertLessThanOrEqual(image.size.height, 600)
    }

    /// Documents that consist only of scrolling areas: no content in the flow has a height.
    func testAnAreaAsHighAsTheViewport() throws {
        for style in [
            "main{height:100vh;overflow:auto}", "main{height:100dvh;overflow-y:scroll}",
            "main{max-height:100vh;overflow:auto}", "html,body{height:100%} main{position:fixed;inset:0;overflow:auto}",
        ] {
            let image = try draw("<main>\(String(repeating: Self.block, count: 12))</main>", style: style)
            XCTAssertEqual(image.size.height, 720, style)
            XCTAssertEqual(image.count(of: .red), 100 * 720, style)
            XCTAssertEqual(image.warnings, [], style)
        }
    }

    /// Slides that are as tall as their area: the picture shows the first, and a warning names what is missing.
    func testSlides() throws {
        let slides = "<section>1</section><section>2</section><section>3</section>"
        for style in [
            "main{height:100vh;overflow:auto;scroll-snap-type:y mandatory} section{height:100vh;background:red}",
            "main{height:100vh;overflow-y:scroll} section{min-height:100%;background:red}",
            "html,body,main{height:100%} main{overflow:auto} section{height:100vh;background:red}",
        ] {
            let image = try draw("<main>\(slides)</main>", style: style)
            XCTAssertEqual(image.size.height, 600, style)
            XCTAssertEqual(
                image.warnings.map(\.description).map { $0.prefix(36) }, ["cut off at the bottom: 1200 CSS px ("])
            XCTAssertEqual(image.warnings.map(\.code), [.contentCut], style)
        }
        // Content that the document hides by itself, or with its own height, stays hidden as in any window.
        for style in [
            "main{height:100vh;overflow:hidden} section{height:100vh;background:red}",
            "main{height:60px;overflow:auto} section{height:60px} body{min-height:100vh}",
        ] { XCTAssertEqual(try draw("<main>\(slides)</main>", style: style).warnings, [], style) }
        var snippet = page("<main>\(slides)</main>", style: "main{height:100vh;overflow:auto} section{height:100vh}")
        snippet.geometry.viewportHeight = 60
        XCTAssertEqual(try draw(snippet).warnings, [])
    }

    /// A footer at the bottom of a `100vh` body is below the content if the body leaves no space for it.
    func testAFooterAtTheLowerEdgeOfTheBody() throws {
        let footer = "<footer><div style='height:20px;background:blue'></div>a</footer>"
        for (padding, height) in [(0, 100), (40, 100), (10, 100)] {
            let image = try draw(
                "\(Self.block)\(footer)",
                style: """
                    body{position:relative;min-height:100vh;box-sizing:border-box;padding-bottom:\(padding)px}
                    footer{position:absolute;bottom:0;left:0;right:0;height:40px;line-height:20px}
                    """)
            XCTAssertEqual(image.size.height, height, "\(padding)")
            XCTAssertEqual(image.count(of: .red), 100 * 60, "\(padding)")
            XCTAssertEqual(image.count(of: .blue), 100 * 20, "\(padding)")
        }
    }

    func testAGivenHeightStays() throws {
        var snippet = page(
            "<i style='position:fixed;bottom:0;left:0;width:10px;height:10px;background:red'></i>\(Self.block)")
        snippet.geometry.viewportHeight = 30
        XCTAssertEqual(try draw(snippet).size.height, 60)
        XCTAssertEqual(try draw(snippet).pixel(5, 25), .red)
        snippet = page("<div style='height:100vh;background:red'></div>")
        snippet.geometry.viewportHeight = 1
        XCTAssertEqual(try draw(snippet).size.height, 1)
        snippet.geometry.viewportHeight = 30
        XCTAssertEqual(try draw(snippet).size.height, 30)
    }

    func testLimitsOfTheHeight() throws {
        var snippet = page("<div style='min-height:100vh;background:red'>a</div>")
        snippet.geometry.minimumHeight = 200
        XCTAssertEqual(try draw(snippet).count(of: .white), 0)
        XCTAssertEqual(try draw(snippet).size.height, 200)
        snippet = page(
            "\(Self.block)\(Self.block)<i style='position:fixed;bottom:0;left:0;width:10px;height:10px;background:blue'></i>"
        )
        snippet.geometry.maximumHeight = 50
        let image = try draw(snippet)
        XCTAssertEqual(image.size.height, 50)
        XCTAssertEqual(image.pixel(5, 45), .blue)
    }

    /// The next document in the same view has its own viewport again.
    func testDocumentsInTurn() throws {
        try onLoop {
            let renderer = Studio.make()
            for _ in 0..<2 {
                var high = page("<div style='min-height:100vh'>\(Self.block)</div>")
                high.identifier = "high"
                var low = page("<div style='height:10px'></div><div style='height:100vh;background:red'></div>")
                low.geometry.viewportHeight = 1
                low.identifier = "low"
                var plain = page("<div style='height:10px;background:red'></div>")
                plain.identifier = "plain"
                for (snippet, height) in [(high, 60), (plain, 10), (high, 60), (low, 11), (high, 60)] {
                    var snippet = snippet
                    snippet.html += Data("<!--\(UUID())-->".utf8)
                    let image = try await renderer.picture(for: snippet)
                    XCTAssertEqual(image.size.height, height, snippet.identifier)
                }
            }
            await renderer.finish()
        }
    }
}
