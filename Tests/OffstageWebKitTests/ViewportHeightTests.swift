import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Documents that depend on the viewport's height, in a picture that is as high as its content.
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

    /// Only those whose height follows the viewport's are opened.
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

    /// The picture is no higher than its content: `100vh` is the rest of that height.
    func testAPictureIsNotHigherThanItsContent() throws {
        let bar = "<div style='height:30px;background:blue'></div>"
        let image = try draw("<div style='min-height:100vh'>\(Self.block)</div>\(bar)")
        XCTAssertEqual(image.size.height, 90)
        XCTAssertEqual(image.count(of: .blue), 3000)
        let sections = String(repeating: "<section style='min-height:100vh'>\(Self.block)</section>", count: 3)
        XCTAssertEqual(try draw(sections).size.height, 180)
        XCTAssertEqual(try draw("<div style='margin:10px 0;min-height:100vh'>\(Self.block)</div>").size.height, 80)
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
