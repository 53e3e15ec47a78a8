import Offstage
import OffstageWebKit
import XCTest

/// A snippet's limits, from the library.
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

    /// What is written into an older page is counted too.
    func testTheNextInTheSamePage() throws {
        for _ in 0..<2 {
            XCTAssertEqual(try draw(page("<p>good")).warnings, [])
            var snippet = page("<p>text")
            snippet.limits.elements = 5
            XCTAssertEqual(refusal(of: snippet), .overLimit(LimitExcess(.elements, allowed: 5, measured: 6)))
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
            refusal(of: snippet), .invalidRequest("the grace is 0.0 s; more than 0 and at most 86400 are possible"))
        snippet.limits = SnippetLimits()
        snippet.limits.resources = -1
        XCTAssertEqual(
            refusal(of: snippet), .invalidRequest("the limit of resources is -1; 0 and more are possible"))
    }
}
