import CGTK
import Foundation
import Offstage
import OffstageLists
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// WebKit enlarges small text to at least 9 px, so a live row below the window's scale would be laid out differently
/// from its picture.
final class LiveScaleTests: XCTestCase {
    /// Small text, and lines that break elsewhere if the text is a little larger.
    private static func snippet(_ row: Int) -> Snippet {
        Snippet(
            """
            <!doctype html><meta charset=utf-8>
            <style>body { font: 10px DejaVu Sans; margin: 0; padding: 10px } p { border: 1px solid #888 }</style>
            \(String(repeating: "<p>Row \(row), with some text that is there to be read, and more of it.", count: 8))
            <a href="a">A link</a>
            """, identifier: "")
    }

    func testASmallerRowIsToldNotToBeLive() {
        onMain {
            for zoom in [0.5, 0.9] {
                let bench = SnippetBench(rows: 3, Self.snippet)
                bench.list.zoom = zoom
                bench.pumpUntilComplete()
                let before = bench.screen()
                var ends: [LiveEnd] = []
                bench.list.onLiveEnd = { ends.append($1) }
                bench.list.makeLive(row: 0)
                XCTAssert(pump { !ends.isEmpty || bench.list.isLive(row: 0) })
                let reason = "the scale is \(zoom); a live view needs at least the window's scale, which is 1"
                XCTAssertEqual(ends, [.failed(.invalidRequest(reason))])
                pump(frames: 3, of: bench.inner)
                XCTAssertEqual(bench.screen().differences(to: before), 0)
                bench.close()
            }
        }
    }
}
