import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// A document that tries to leave its page is drawn as if it had stayed, and its process is not replaced.
final class LeavingTests: XCTestCase {
    private static let addresses = [
        "about:srcdoc", "about:srcdoc#a", "about:blank", "about:anything", "data:text/html,<p>other", "javascript:1",
        "blob:null/1", "other.html", "missing.html", "?a", "%23a",
    ]
    private static let files = MemoryFolder(text: ["other.html": "<body style='background:blue'>"])

    /// Draws documents one after the other, several times, because a document may or may not leave before its picture
    /// is taken.
    private func assertStay(_ bodies: [String], runsScripts: Bool = false, line: UInt = #line) throws {
        try onLoop {
            let renderer = Studio.make()
            for body in bodies {
                for _ in 0..<3 {
                    var snippet = page("<div style='height:20px;background:red'></div>\(body)", base: Self.files)
                    snippet.runsScripts = runsScripts
                    let image = try await renderer.picture(for: snippet)
                    XCTAssertEqual(image.count(of: .red), 20 * image.size.width, body, line: line)
                    XCTAssertEqual(image.count(of: .blue), 0, body, line: line)
                }
            }
            XCTAssertEqual(renderer.restarts, 0, line: line)
            await renderer.finish()
        }
    }

    private static func refresh(_ address: String) -> String {
        "<meta http-equiv=refresh content='0;url=\(address)'>"
    }

    func testARefresh() throws { try assertStay(Self.addresses.map(Self.refresh)) }

    func testARefreshInAFrame() throws {
        try assertStay(
            Self.addresses.map { "<iframe src=\"data:text/html,\(Self.refresh($0))\" height=9></iframe>" })
        try assertStay(
            Self.addresses.map { "<iframe srcdoc=\"\(Self.refresh($0))\" height=9></iframe>" })
    }

    func testARefreshInSVG() throws {
        try assertStay(
            Self.addresses.map {
                """
                <svg xmlns='http://www.w3.org/2000/svg' height=9><foreignObject width=9 height=9>\(Self.refresh($0))\
                </foreignObject></svg>
                """
            })
    }

    func testARefreshWithScripts() throws { try assertStay(Self.addresses.map(Self.refresh), runsScripts: true) }

    func testARefreshByAScript() throws {
        try assertStay(
            Self.addresses.map {
                """
                <script>const meta = document.createElement('meta');
                [meta.httpEquiv, meta.content] = ['refresh', '0;url=\($0)']; document.head.append(meta)</script>
                """
            }, runsScripts: true)
    }

    func testAScript() throws {
        try assertStay(
            Self.addresses.flatMap {
                [
                    "<script>location = \"\($0)\"</script>",
                    "<script>setTimeout(() => location.replace(\"\($0)\"))</script>",
                ]
            }, runsScripts: true)
    }

    func testAScriptInAFrame() throws {
        try assertStay(
            Self.addresses.map { "<iframe srcdoc=\"<script>top.location = '\($0)'</script>\" height=9></iframe>" },
            runsScripts: true)
    }
}
