import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib
import XCTest

@testable import OffstageGTK

/// Late frames of a list stop drawings, while it moves.
final class FrameGuardTests: XCTestCase {
    /// Makes each frame late while it exists.
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
            // One movement, also on a machine that does something else.
            options.suspension = ScrollSuspender.Times(settling: .milliseconds(400))
            let bench = NumberList(engine: NumberEngine { _ in 1 }, options: options)
            bench.pumpUntilComplete()
            let load = Load(bench.list.widget)
            var changes: [Bool] = []
            bench.list.onScrolling = { changes.append($0) }
            gtk_adjustment_set_value(bench.adjustment, 3_000)
            XCTAssert(pump { bench.renderer.isSuspended }, "late frames do not stop drawings")
            XCTAssertEqual(changes, [true])
            load.end()
            XCTAssert(pump { changes == [true, false] }, "the movement does not end")
            XCTAssertFalse(bench.renderer.isSuspended)
            bench.pumpUntilComplete()
            bench.close()
        }
    }
}
