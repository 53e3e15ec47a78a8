import CGTK
import CTestEvents
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// A live row has its snippet's own appearance, whatever else is drawn, and ends when its web process hangs.
final class LiveAppearanceTests: XCTestCase {
    private static let documents = [
        """
        <style>body { background: #ffe; color: #000 } i { letter-spacing: 3px } u { color: red }
        @media (prefers-color-scheme: dark) and (min-width: 10px) { body { background: #123; color: #fff } }
        @media not all and (prefers-color-scheme: light) { b { color: #0f0 } }
        @media (prefers-reduced-motion) { i { letter-spacing: 0 } }
        @media (prefers-contrast: more) { u { color: blue } }</style><b>Media</b> <i>queries</i> <u>of</u> three features
        """,
        """
        <meta name=color-scheme content="light dark"><style media="(prefers-color-scheme: light)">b { color: red }</style>
        <b>The meta element</b> <input value=Field> <button>A button</button>
        <picture><source media="(prefers-color-scheme: dark)" srcset="\(box("#0ff"))"><img src="\(box("#f0f"))"></picture>
        """,
        """
        <style>:root { color-scheme: light dark } p { color: light-dark(#800, #fa0) } div { background: Canvas }</style>
        <p>A property</p><div style="color-scheme: dark light">of an element</div><input type=checkbox checked>
        """,
        """
        <body style="background: #eee"><p>Scripts</p><script>
        console.log('nobody listens to a live view');
        if (matchMedia('(prefers-color-scheme: dark)').matches) document.body.style.background = '#321';
        if (matchMedia('(prefers-contrast: more)').matches) document.body.style.color = '#0ff';
        </script>
        """,
    ]

    private static func box(_ color: String) -> String {
        // In a `srcset`, an address cannot contain spaces.
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><path d='M0,0H20V20H0' fill='\(color)'/></svg>"
            .replacing(" ", with: "%20").replacing("#", with: "%23")
    }

    private static func snippet(_ row: Int, _ emulation: Emulation) -> Snippet {
        var snippet = Snippet(
            "<!doctype html><meta charset=utf-8><style>body { font: 16px DejaVu Sans }</style>" + documents[row],
            identifier: "")
        snippet.emulation = emulation
        snippet.runsScripts = row == 3
        return snippet
    }

    private static let others = [
        Emulation(),
        {
            var emulation = Emulation()
            (emulation.colorScheme, emulation.contrast, emulation.motion) = (.dark, .more, .noPreference)
            return emulation
        }(),
    ]

    @MainActor
    private static func draw(_ emulation: Emulation, with bench: SnippetBench) {
        var snippet = Snippet("<p>\(UUID())", identifier: "another")
        snippet.emulation = emulation
        var isDone = false
        Task {
            _ = try await bench.renderer.picture(for: snippet)
            isDone = true
        }
        XCTAssert(pump { isDone })
        pump(frames: 3, of: bench.inner)
    }

    func testALiveRowKeepsItsAppearanceWhateverIsDrawn() {
        onMain {
            for (index, emulation) in Self.others.enumerated() {
                var options = ListOptions()
                options.liveLimit = Self.documents.count
                let bench = SnippetBench(rows: Self.documents.count, options: options) { Self.snippet($0, emulation) }
                bench.pumpUntilComplete()
                let before = bench.screen()
                Self.draw(Self.others[1 - index], with: bench)
                for row in Self.documents.indices {
                    bench.list.makeLive(row: row)
                    XCTAssert(pump { bench.list.isLive(row: row) })
                    pump(frames: 3, of: bench.inner)
                    XCTAssertEqual(bench.screen().differences(to: before), 0, "row \(row), \(emulation.colorScheme)")
                }
                for emulation in Self.others {
                    Self.draw(emulation, with: bench)
                    XCTAssertEqual(bench.screen().differences(to: before), 0, "while \(emulation.colorScheme) is drawn")
                }
                XCTAssertEqual(bench.list.rowsLive.count, Self.documents.count)
                bench.close()
            }
        }
    }

    func testARowThatHangsTurnsBack() {
        onMain {
            let bench = SnippetBench(rows: 3) { row in
                var snippet = Snippets.plain(row)
                snippet.html += Data("<script>document.onclick = () => { for (;;); }</script>".utf8)
                snippet.runsScripts = true
                snippet.limits.grace = 0.3
                return snippet
            }
            var told: [String] = []
            bench.list.onLiveEnd = { told.append("\($0) \($1)") }
            bench.pumpUntilComplete()
            let before = bench.screen()
            bench.list.makeLive(row: 0)
            XCTAssert(pump { bench.list.isLive(row: 0) })
            // It stays live for longer than the grace period, because its web process answers.
            let end = ContinuousClock.now.advanced(by: .seconds(1))
            pump { ContinuousClock.now > end }
            XCTAssert(bench.list.isLive(row: 0))
            bench.move(200, Int(bench.list.screenTop(of: 0)) + 20)
            test_button(1, 1)
            test_button(1, 0)
            XCTAssert(pump { !told.isEmpty })
            XCTAssertEqual(told, ["0 the live view's process gave no answer for 0.3 s and was killed"])
            XCTAssertEqual(bench.list.rowsLive, [])
            bench.list.selection = nil
            bench.move(390, 499)
            XCTAssertEqual(bench.screen().differences(to: before), 0)
            // Other rows can still become live.
            bench.list.makeLive(row: 1)
            XCTAssert(pump { bench.list.isLive(row: 1) })
            bench.close()
        }
    }

    func testWhatNeverBecomesLiveIsTold() {
        onMain {
            let bench = SnippetBench(rows: 3) { row in
                var snippet = Snippets.plain(row)
                snippet.limits.elements = 3
                return snippet
            }
            bench.list.makeLive(row: 0)
            var told: [Int] = []
            bench.list.onLiveEnd = { row, reason in
                guard case .failed(.overLimit) = reason else { return XCTFail("\(reason)") }
                told.append(row)
            }
            XCTAssert(pump { !told.isEmpty })
            XCTAssertEqual(told, [0])
            // No end is reported for a row that was made still in the meantime.
            bench.list.makeLive(row: 1)
            XCTAssert(pump { bench.list.live.entries.first?.view != nil })
            bench.list.makeStill(row: 1)
            bench.list.makeLive(row: 2)
            XCTAssert(pump { told.last == 2 })
            XCTAssertEqual(told, [0, 2])
            bench.close()
        }
    }
}
