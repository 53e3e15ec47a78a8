import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageLists
import XCTest

@testable import OffstageGTK

/// Late frames stop drawings while the list scrolls.
final class FrameGuardTests: XCTestCase {
    /// Makes every frame late until it is ended.
    @MainActor
    private final class Load {
        private var isOver = false

        init(_ widget: UnsafeMutablePointer<GtkWidget>) {
            addTick(to: widget, for: self) { widget, _, data in
                onMainActor((widget, data!)) { widget, data in
                    guard let load = receiver(data, as: Load.self), !load.isOver else { return 0 }
                    usleep(20_000)
                    gtk_widget_queue_draw(widget)
                    return 1
                }
            }
        }

        func end() { isOver = true }
    }

    func testLateFramesStopDrawingsUntilTheListRests() {
        onMain {
            var options = ListOptions()
            // The long settling time makes this one movement, even on a busy machine.
            options.suspension = ScrollSuspender.Times(settling: .seconds(2))
            let engine = NumberEngine()
            let bench = NumberList(engine: engine, options: options)
            bench.pumpUntilComplete()
            let load = Load(bench.list.widget)
            var changes: [Bool] = []
            bench.list.onScrolling = { changes.append($0) }
            // A late frame counts only while a drawing runs. On a busy machine, the rows ahead may all be drawn already,
            // so another request's drawing runs until the end.
            engine.hold()
            let other = bench.renderer.task(for: NumberRow(number: 9_999, width: 10, scale: 1, height: 10))
            XCTAssert(pump { bench.renderer.runningCount > 0 })
            gtk_adjustment_set_value(bench.adjustment, 100)
            XCTAssert(pump { bench.renderer.isSuspended }, "late frames do not stop drawings")
            XCTAssertEqual(changes, [true])
            engine.release()
            other.cancel()
            load.end()
            XCTAssert(pump { changes == [true, false] }, "the movement does not end")
            XCTAssertFalse(bench.renderer.isSuspended)
            bench.pumpUntilComplete()
            bench.close()
        }
    }

    /// Nothing scrolls after a jump, so the drawing of its rows is not delayed.
    func testAJumpStopsNoDrawings() {
        onMain {
            let bench = NumberList(engine: NumberEngine { _ in 1 })
            bench.pumpUntilComplete()
            var allowances: [FrameGovernor.Allowance] = []
            bench.list.parts.frames?.onChange = { allowances.append($0) }
            let load = Load(bench.list.widget)
            gtk_adjustment_set_value(bench.adjustment, 30_000)
            bench.pumpUntilComplete()
            load.end()
            XCTAssertEqual(allowances, [])
            bench.close()
        }
    }

    /// The rows are requested in the jump's own frame. Rows that pass by while scrolling wait for the next frame.
    func testAJumpRequestsItsRowsAtOnce() {
        onMain {
            let bench = NumberList()
            bench.pumpUntilComplete()
            let before = bench.source.asked.count
            gtk_adjustment_set_value(bench.adjustment, 30_000)
            pump(frames: 1, of: bench.inner)
            XCTAssertFalse(bench.list.updates.isLookDue)
            XCTAssertGreaterThan(bench.source.asked.count, before)
            bench.close()
        }
    }
}
