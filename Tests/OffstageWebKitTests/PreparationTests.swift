import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// The time to prepare a document's bytes for WebKit is proportional to their number, whatever they contain.
final class PreparationTests: XCTestCase {
    /// Words that could each make a markup scanner start over.
    private static let words = [
        "data:", "data:image/svg+xml, ", "data:image/png;base64,", "; base64,", ";base64,", "data:;base64,R0lGODlh",
        "data:,",
        "data:text/xml,", "data:image/svg+xml;base64,PHN2Zz", "'data:image/svg+xml,<svg><set dur='",
        "=data:image/svg+xml,a ",
        "&quot;data:image/svg+xml,", "url(data:image/svg+xml,", "url(", "url('", "<template shadowrootmode=closed ",
        "<template ", "shadowrootmode=closed", "shadowrootmode = ", "%3Ctemplate shadowrootmode=closed", "<textarea>",
        "<style>",
        "</style>", "<style></style>", "<!--", "-->", "<", ">", "</", "\"", "'", "<p title=\"", "<p title='",
        "<set dur='1s' ",
        "<set dur=", "<animate begin=';;;;'>", "<set dur=\"1s\"/>", "keyframes", "&amp;", "&", "&#38;", "&#",
        "&eacute;", "%", "%25",
        "\\", "\\41 ", "\\\n", "font:", "font:a,", "font-family:a;", "font:font:", "font:'", "face=", "f",
        "@font-face{", "}", "s", "font-display:swap;", "@font-face{font-display:swap}", "<style",
        "<p style='animation:a 1s'>",
        "animation:a;", "animation:a 1s infinite,b;",
        "src=", "srcdoc", "é", "A", "AAAA", " ", "\n", "<a", "<!ENTITY a 'b'>", "<!DOCTYPE svg [", "]]>", "<![CDATA[",
        "<?a", "&a;",
    ]

    /// The processor time of this thread.
    private func time(of work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    private func prepare(_ text: String) {
        for (type, shadow) in [(Snippet.DocumentType.html, " shadowroot"), (.svg, "")] {
            var snippet = Snippet(text + shadow, identifier: "")
            snippet.type = type
            // An error is also an acceptable result.
            _ = try? PreparedSnippet(snippet)
        }
        _ = AnimatedSVG.stopped(Data(text.utf8))
        _ = FontDisplay.patient(inDocument: Data(text.utf8))
        _ = FontDisplay.patient(inStyleSheet: Data(text.utf8))
    }

    /// Compares with ordinary markup of the same size, in processor time of one thread, so other programs do not
    /// matter. A small factor is expected, because these bytes need more work. It used to be between 100 and 10,000.
    func testTimeIsInProportionToTheBytes() {
        let size = 60_000
        func text(_ word: String, before start: String = "", after end: String = "") -> String {
            start + String(repeating: word, count: size / word.utf8.count) + end
        }
        let usual = text("<p class=\"a\" style=\"color: red; font: 12px sans-serif\">some text &amp; more</p>\n")
        var base = Double.infinity
        for _ in 0..<3 { base = min(base, time { prepare(usual) }) }
        let ends = ["'", "serif;"]
        for word in Self.words {
            for (start, end) in [("<!doctype html><p>x</p><!--", "")] + ends.map({ ("<svg keyframes animate ", $0) }) {
                let html = text(word, before: start, after: end)
                var best = Double.infinity
                for _ in 0..<3 where best > 40 * base { best = min(best, time { prepare(html) }) }
                XCTAssertLessThan(best, 40 * base, "\(start)\(word)…\(end)")
            }
        }
    }

    /// Eight times the bytes take about eight times as long. If each location were searched for from the start, they
    /// would take sixty-four times as long.
    func testEightTimesTheBytesTakeEightTimesAsLong() {
        func best(_ text: String) -> Double { (0..<3).map { _ in time { prepare(text) } }.min() ?? 0 }
        for word in Self.words.prefix(20) {
            let text = "<!doctype html><p>x</p><!--" + String(repeating: word, count: 8_000 / word.utf8.count)
            let ratio = best(String(repeating: text, count: 8)) / best(text)
            XCTAssertLessThan(ratio, 24, word)
        }
    }

    /// However large a document is, its drawing ends within its time and the grace period.
    func testThePreparationCountsAgainstTheTime() throws {
        try onLoop {
            let renderer = Studio.make()
            // Preparing this document takes longer than its time limit.
            var snippet = page(
                "<p>" + String(repeating: "<i style='background:url(data:image/svg+xml,a)'>", count: 400_000))
            (snippet.timeout, snippet.limits.grace) = (0.0005, 0.0005)
            snippet.limits.elements = 10_000_000
            let start = ContinuousClock.now
            do {
                _ = try await renderer.picture(for: snippet)
                XCTFail("drawn in \(start.duration(to: .now))")
            } catch let error as RenderError {
                XCTAssertEqual(error.reason, .engineHung(seconds: 0.0005))
            }
            // The preparation does not involve the web process.
            XCTAssertEqual(renderer.restarts, 0)
            let image = try await renderer.picture(for: page("<div style='height:9px;background:red'></div>"))
            XCTAssertEqual(image.count(of: .red), 9 * image.size.width)
            await renderer.finish()
        }
    }
}
