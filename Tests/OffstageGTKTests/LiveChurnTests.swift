import CGTK
import Foundation
import Offstage
import OffstageLists
import SeededRandom
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// Live rows that are created and destroyed at any moment. `Strictness` ends the tests if freed memory is used.
final class LiveChurnTests: XCTestCase {
    /// Covers the time from the first turn of the loop until the view exists, with several views at once because each
    /// starts a process.
    func testViewsThatAreClosedInEveryTurnOfTheLoop() {
        onMain {
            var options = ListOptions()
            options.liveLimit = 9
            let bench = SnippetBench(rows: 400, height: 780, options: options) { row in
                Snippet("<!doctype html><body style='margin:0;font:8px/10px DejaVu Sans'>\(row)", identifier: "")
            }
            bench.pumpUntilComplete()
            let others = Set(ChildProcesses.descendants())
            var (closed, shown) = (0, 0)
            for round in 0..<30 {
                for row in 0..<9 { bench.list.makeLive(row: row) }
                XCTAssertEqual(bench.list.rowsLive.count, 9)
                var turn = 0
                while !bench.list.rowsLive.isEmpty {
                    let row = bench.list.rowsLive[0]
                    for _ in 0..<(round * 2 + 1) {
                        turn += 1
                        Self.turn()
                    }
                    shown += bench.list.isLive(row: row) ? 1 : 0
                    closed += 1
                    bench.list.makeStill(row: row)
                }
            }
            XCTAssertEqual(closed, 270)
            XCTAssertGreaterThan(shown, 0)
            Self.waitForWatches()
            let isOver = pump(seconds: 60) {
                WebProcess.settle()
                return ChildProcesses.descendants().allSatisfy {
                    others.contains($0) || !ChildProcesses.name(of: $0).hasPrefix("WebKitWeb")
                }
            }
            XCTAssert(isOver, "web processes are left")
            bench.close()
        }
    }

    /// The row leaves in the same turn in which it would become live.
    func testARowThatLeavesBeforeItIsLive() {
        onMain {
            let bench = SnippetBench(rows: 40)
            bench.pumpUntilComplete()
            var isMade = false
            let list = PictureList(
                renderer: bench.renderer, source: bench.source, options: ListOptions(),
                liveRows: [
                    LiveRows { (request: Snippet) in
                        let view = try await LiveView(of: request, engine: SnippetBench.engine)
                        bench.list.scroll(to: 39, .bottom)
                        isMade = true
                        return view
                    }
                ])
            gtk_container_remove(cast(bench.window), bench.list.widget)
            gtk_container_add(cast(bench.window), list.widget)
            bench.list = list
            gtk_widget_show_all(bench.window)
            bench.pumpUntilComplete()
            var ends: [LiveEnd] = []
            bench.list.onLiveEnd = { ends.append($1) }
            bench.list.makeLive(row: 0)
            XCTAssert(pump { isMade && bench.list.rowsLive.isEmpty })
            Self.waitForWatches()
            XCTAssertEqual(ends, [])
            bench.close()
        }
    }

    /// A view that knows its number and fails if it is used after it was closed.
    @MainActor private final class NumberView: LiveRow {
        let widget = g_object_ref_sink(gtk_event_box_new()).assumingMemoryBound(to: GtkWidget.self)
        let number: Int
        let height = 50
        var onLink: ((String) -> Void)?
        var onEnd: ((LiveEnd) -> Void)?
        private var isClosed = false

        init(_ number: Int) { self.number = number }

        isolated deinit { g_object_unref(widget) }

        func show() async throws {
            XCTAssertFalse(isClosed)
            for _ in 0..<number % 4 { await MainLoop.turn() }
            // Lets the loop turn between WebKit's answer and its handling.
            if number % 5 == 0 { await Task.yield() }
        }

        func close() {
            if isClosed { return }
            isClosed = true
            gtk_widget_destroy(widget)
        }
    }

    func testLiveRowsWhileRowsComeAndGo() {
        onMain {
            var random = SeededGenerator(seed: 4)
            var options = ListOptions()
            options.liveLimit = 4
            let bench = NumberList(
                rows: 60, options: options,
                liveRows: [
                    LiveRows { (row: NumberRow) in
                        for _ in 0..<row.number % 3 { await MainLoop.turn() }
                        return NumberView(row.number)
                    }
                ])
            // Each row must be made ready. The source traps if it is asked for a row that does not exist.
            bench.source.holdReady()
            bench.source.release()
            var (next, shown) = (60, 0)
            for step in 0..<1_000 {
                let count = bench.source.numbers.count
                let row = Int.random(in: 0..<count, using: &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    let new = Int.random(in: 1...40, using: &random)
                    bench.source.numbers.insert(contentsOf: next..<next + new, at: row)
                    next += new
                    bench.list.insertRows(new, at: row)
                case 1 where count > 20:
                    let gone = row..<min(count, row + Int.random(in: 1...count / 3, using: &random))
                    bench.source.numbers.removeSubrange(gone)
                    bench.list.removeRows(gone)
                case 2: bench.list.reload(row: row)
                case 3 where step % 5 == 0: bench.list.reload()
                case 4: bench.list.scroll(to: row)
                case 5: bench.list.rowsLive.randomElement(using: &random).map { bench.list.makeStill(row: $0) }
                case 6: bench.list.selection = row
                default:
                    bench.list.slots.window.visible.randomElement(using: &random).map {
                        if $0 < bench.list.rowCount { bench.list.makeLive(row: $0) }
                    }
                }
                for _ in 0..<Int.random(in: 0...4, using: &random) { Self.turn() }
                for entry in bench.list.live.entries {
                    guard let view = entry.view as? NumberView else { continue }
                    XCTAssertEqual(view.number, bench.source.numbers[entry.item], "step \(step)")
                    shown += entry.isShown ? 1 : 0
                }
            }
            XCTAssertGreaterThan(shown, 50)
            bench.close()
        }
    }

    /// Runs the loop once, even if nothing is due.
    @MainActor private static func turn() {
        let waker = g_timeout_add_full(G_PRIORITY_LOW, 1, { _ in 1 }, nil, nil)
        g_main_context_iteration(nil, 1)
        g_source_remove(waker)
    }

    /// Waits until even the slowest timer that outlived its view would have fired.
    @MainActor private static func waitForWatches() {
        var isOver = false
        let timer = LoopTimer(seconds: 1.2) { isOver = true }
        XCTAssert(pump { isOver })
        timer.stop()
    }
}
