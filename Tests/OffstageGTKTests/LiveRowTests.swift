import CTestEvents
import CWebKitGTK
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// Rows that become web views, and become pictures again.
final class LiveRowTests: XCTestCase {
    func testARowTurnsIntoAViewThatLooksTheSameAndBack() {
        onMain {
            let bench = SnippetBench(rows: 12)
            bench.pumpUntilComplete()
            let before = bench.screen()
            bench.list.makeLive(row: 1)
            // No frame looks different.
            var different = 0
            XCTAssert(
                pump {
                    different = max(different, bench.screen().differences(to: before))
                    return bench.list.isLive(row: 1)
                }, "it does not turn")
            for _ in 0..<10 {
                pump(frames: 1, of: bench.inner)
                different = max(different, bench.screen().differences(to: before))
            }
            XCTAssertEqual(different, 0)
            XCTAssertNotNil(bench.view(row: 1))
            bench.list.makeStill(row: 1)
            XCTAssertNil(bench.view(row: 1))
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.screen().differences(to: before), 0)
            bench.close()
        }
    }

    func testAClickOnALinkOfALiveRowTellsItsTarget() {
        onMain {
            let bench = SnippetBench(rows: 12)
            var told: [String] = []
            bench.list.onLink = { told.append("\($0) \($1)") }
            bench.pumpUntilComplete()
            bench.list.makeLive(row: 2)
            pump { bench.list.isLive(row: 2) }
            let (x, y) = bench.link(row: 2)
            bench.move(x, y)
            test_button(1, 1)
            bench.settle()
            test_button(1, 0)
            XCTAssert(pump { !told.isEmpty })
            XCTAssertEqual(told, ["2 page/2.html?a=b#c"])
            // The view has not left its page.
            XCTAssert(bench.list.isLive(row: 2))
            bench.close()
        }
    }

    func testNoMoreThanAFewAreLiveAndThoseThatLeaveTurnBack() {
        onMain {
            let bench = SnippetBench(rows: 200)
            bench.pumpUntilComplete()
            for row in 0..<3 {
                bench.list.makeLive(row: row)
                XCTAssert(pump { bench.list.isLive(row: row) })
            }
            XCTAssertEqual(bench.list.rowsLive, [1, 2])
            gtk_adjustment_set_value(bench.list.canvas.adjustment, 30)
            pump(frames: 1, of: bench.inner)
            // The row may have a new picture, so it is no longer live.
            bench.list.reload(row: 2)
            XCTAssertEqual(bench.list.rowsLive, [1])
            // The view moves with its row.
            var box = GtkAllocation()
            gtk_widget_get_allocation(bench.view(row: 1)!, &box)
            XCTAssertEqual(Double(box.y), bench.list.screenTop(of: 1) + 6)
            bench.list.scroll(to: 150)
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.list.rowsLive, [])
            bench.pumpUntilComplete()
            bench.close()
        }
    }

    /// Only rows that the source marks are live until their pictures are drawn.
    func testARowWithoutItsPictureIsLiveMeanwhile() {
        onMain {
            let bench = SnippetBench(rows: 200)
            bench.pumpUntilComplete()
            bench.source.liveWithoutPicture = [101, 102, 103, 150]
            let lease = bench.renderer.suspend()
            bench.list.scroll(to: 100, .top)
            XCTAssert(pump { bench.list.isLive(row: 101) && bench.list.isLive(row: 102) }, "\(bench.list.rowsLive)")
            // At most two rows are live; a row that the user opens replaces another one.
            XCTAssertEqual(bench.list.rowsLive, [101, 102])
            XCTAssertEqual(bench.list.content(of: 103), .text)
            bench.list.makeLive(row: 102)
            lease.end()
            bench.pumpUntilComplete()
            // The picture has replaced the view, except where the user opened the view.
            XCTAssertEqual(bench.list.rowsLive, [102])
            XCTAssertEqual(bench.list.content(of: 101), .picture)
            bench.list.scroll(to: 110, .top)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.rowsLive, [])
            bench.close()
        }
    }

    func testALiveRowIsAsClosedAsADrawing() {
        onMain {
            let bench = SnippetBench(rows: 3)
            bench.pumpUntilComplete()
            bench.list.makeLive(row: 0)
            XCTAssert(pump { bench.list.isLive(row: 0) })
            let view = UnsafeMutableRawPointer(bench.view(row: 0)!).assumingMemoryBound(to: WebKitWebView.self)
            let settings = webkit_web_view_get_settings(view)
            XCTAssertEqual(webkit_settings_get_enable_javascript_markup(settings), 0)
            // The document's own script would have changed the title.
            let reply = Reply<String>()
            let text = try? onLoopValue {
                await reply.wait { ScriptWorld.evaluate("return document.title", in: view, reply) }
            }
            XCTAssertEqual(text, "title")
            bench.close()
        }
    }

    func testAViewWhoseProcessEndsTurnsBack() {
        onMain {
            let bench = SnippetBench(rows: 3)
            bench.pumpUntilComplete()
            let before = bench.screen()
            bench.list.makeLive(row: 0)
            XCTAssert(pump { bench.list.isLive(row: 0) })
            let view = UnsafeMutableRawPointer(bench.view(row: 0)!).assumingMemoryBound(to: WebKitWebView.self)
            webkit_web_view_terminate_web_process(view)
            XCTAssert(pump { bench.list.rowsLive.isEmpty })
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.screen().differences(to: before), 0)
            bench.close()
        }
    }

    func testTheKeyboardOpensAndCloses() {
        onMain {
            let bench = SnippetBench(rows: 12)
            var activated: [Int] = []
            bench.list.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            bench.move(200, 30)
            test_button(1, 1)
            test_button(1, 0)
            bench.settle()
            XCTAssertEqual(bench.list.selection, 0)
            test_key(gulong(GDK_KEY_Return), 1)
            test_key(gulong(GDK_KEY_Return), 0)
            XCTAssert(pump { bench.list.isLive(row: 0) })
            XCTAssertEqual(activated, [0])
            test_key(gulong(GDK_KEY_Escape), 1)
            test_key(gulong(GDK_KEY_Escape), 0)
            XCTAssert(pump { bench.list.rowsLive.isEmpty })
            bench.close()
        }
    }
}
