import Offstage
import OffstageWebKit
import Synchronization
import XCTest

/// A snippet's limits, set through the library.
final class LimitTests: XCTestCase {
    func testEachNamesItself() throws {
        var snippet = page("<p>text")
        snippet.limits.inputBytes = 10
        XCTAssertEqual(
            refusal(of: snippet),
            .overLimit(LimitExcess(.inputBytes, allowed: 10, measured: snippet.html.count)))
        snippet.limits = SnippetLimits()
        snippet.limits.elements = 5
        // html, head, meta, style, body, p
        XCTAssertEqual(refusal(of: snippet), .overLimit(LimitExcess(.elements, allowed: 5, measured: 6)))
        snippet.limits.elements = 6
        XCTAssertEqual(try draw(snippet).warnings, [])
    }

    /// Elements that are written into an earlier document's page also count.
    func testTheNextInTheSamePage() throws {
        for _ in 0..<2 {
            XCTAssertEqual(try draw(page("<p>good")).warnings, [])
            var snippet = page("<p>text")
            snippet.limits.elements = 5
            XCTAssertEqual(refusal(of: snippet), .overLimit(LimitExcess(.elements, allowed: 5, measured: 6)))
        }
    }

    /// Tags that create no elements do not count, and the document looks as it does without them.
    func testTagsThatMakeNoElements() throws {
        let tags = String(repeating: "<b>", count: 60_000)
        let style = "p{color:red;animation:a 9s;transition:color 9s} @keyframes a{from{margin-left:50px}}"
        let frames = "<iframe src='data:text/html,<p>frame'></iframe><object data='data:text/html,<p>object'></object>"
        let body = "<p>text \(frames)"
        var snippet = page("<!-- -->" + body, style: style)
        snippet.limits.elements = 20
        let plain = try draw(snippet)
        for html in ["<!--\(tags)-->\(body)", "<p hidden title='\(tags)'>\(body)"] {
            snippet.html = page(html, style: style).html
            let image = try draw(snippet)
            assertSamePixels(image, plain, String(html.prefix(9)))
            XCTAssertEqual(image.warnings, plain.warnings)
        }
    }

    /// The error arrives while the document is being parsed. It has no layout yet, so its background is not loaded.
    func testFarTooManyElementsAreNotLaidOut() throws {
        let count = 6_000_000
        let paths = Mutex<[String]>([])
        var folder = MemoryFolder()
        folder.asked = { path in paths.withLock { $0.append(path) } }
        let body = String(repeating: "<hr>", count: count)
        let snippet = page(body, style: "html{background:url(a.png)}", base: folder)
        guard case .overLimit(let excess)? = refusal(of: snippet) else { return XCTFail("another error") }
        // The error is the same each time, however many elements were counted.
        XCTAssertEqual(excess, LimitExcess(.elements, allowed: 500_000, measured: 500_001))
        XCTAssertEqual(paths.withLock { $0 }, [])
    }

    /// WebKit parses XML in one step, which takes seconds for millions of elements, so Offstage counts them first.
    func testFarTooManyElementsOfXML() throws {
        let count = 200_000
        let paths = Mutex<[String]>([])
        var folder = MemoryFolder()
        folder.asked = { path in paths.withLock { $0.append(path) } }
        for (type, root) in [(Snippet.DocumentType.svg, "svg xmlns='http://www.w3.org/2000/svg'"), (.xhtml, "html")] {
            let start = "<?xml version='1.0'?><?xml-stylesheet href='a.css'?><!DOCTYPE a [<!ENTITY b '<c>'><!-- ' -->]>"
            let html =
                "\(start)<\(root)><!--<a>--><![CDATA[<a>]]>" + String(repeating: "<g/>", count: count)
                + "</\(root.prefix { $0 != " " })>"
            var snippet = Snippet(html, identifier: "")
            snippet.base = folder
            snippet.type = type
            snippet.limits.elements = 100_000
            for charset in ["UTF-8", "UTF-16LE", "UTF-16BE"] {
                if charset != "UTF-8" { snippet.html = utf16(html, isBigEndian: charset == "UTF-16BE") }
                snippet.charset = charset
                XCTAssertEqual(
                    refusal(of: snippet), .overLimit(LimitExcess(.elements, allowed: 100_000, measured: count + 1)))
                XCTAssertEqual(paths.withLock { $0 }, [], charset)
            }
        }
    }

    /// Tags in comments and similar places do not count as elements.
    func testTagsOfXMLThatMakeNoElements() throws {
        let tags = String(repeating: "<b>", count: 60_000)
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
        for html in [
            "<!--\(tags)-->\(svg)</svg>", "\(svg)<desc><![CDATA[\(tags)]]></desc></svg>", "<?a \(tags)?>\(svg)</svg>",
        ] {
            var snippet = Snippet(html, identifier: "")
            snippet.type = .svg
            snippet.limits.elements = 20
            XCTAssertEqual(try draw(snippet).warnings, [], String(html.prefix(9)))
        }
    }

    func testTheGraceIsTheSnippets() throws {
        var snippet = page("<script>while (true) {}</script>")
        snippet.runsScripts = true
        (snippet.timeout, snippet.limits.grace) = (0.3, 0.4)
        XCTAssertEqual(refusal(of: snippet), .engineHung(seconds: 0.4))
    }

    func testValuesOutOfRangeAreRefused() throws {
        var snippet = page("<p>text")
        snippet.limits.grace = 0
        XCTAssertEqual(
            refusal(of: snippet), .invalidRequest("the grace is 0.0 s; it must be more than 0 and at most 86400"))
        snippet.limits = SnippetLimits()
        snippet.limits.resources = -1
        XCTAssertEqual(
            refusal(of: snippet), .invalidRequest("the limit of resources is -1; it must be 0 or more"))
    }
}

private func utf16(_ text: String, isBigEndian: Bool) -> Data {
    let units = text.utf16.map { isBigEndian ? $0.bigEndian : $0.littleEndian }
    return units.withUnsafeBytes { Data($0) }
}
