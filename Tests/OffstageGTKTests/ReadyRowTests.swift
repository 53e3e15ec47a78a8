import CGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// Rows whose source must fetch something first.
final class ReadyRowTests: XCTestCase {
    func testFramesGoOnWhileRowsAreMadeReady() {
        onMain {
            let engine = NumberEngine()
            let source = Numbers(1_000)
            source.holdReady()
            let bench = NumberList(engine: engine, source: source)
            pump(frames: 5, of: bench.inner)
            XCTAssertEqual(source.asked, [])
            XCTAssert(bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .text })
            XCTAssert(Set(bench.list.visibleRows).isSubset(of: source.readying))
            // Nothing waits for the rows that have left the screen.
            bench.list.scroll(to: 500, .top)
            XCTAssert(pump { source.readying.contains(500) && !bench.list.isScrolling })
            XCTAssert(source.withdrawn.isSuperset(of: 0..<3), "\(source.withdrawn)")
            source.release()
            bench.pumpUntilComplete()
            XCTAssert(bench.list.visibleRows.contains(500))
            XCTAssertFalse(engine.started.contains { $0 < 100 }, "\(engine.started)")
            // The rows ahead are made ready and drawn, too.
            let ahead = bench.list.slots.window.ahead
            XCTAssertFalse(ahead.isEmpty)
            XCTAssert(pump { Set(ahead).isSubset(of: engine.started) }, "\(ahead), \(engine.started)")
            // Rows that are ready are shown in the very next frame.
            source.holdReady()
            bench.list.scroll(to: 501, .top)
            pump(frames: 1, of: bench.inner)
            XCTAssertEqual(bench.list.content(of: 501), .picture)
            source.release()
            bench.close()
        }
    }

    func testTheListGoesWhileRowsAreMadeReady() {
        onMain {
            let source = Numbers(1_000)
            source.holdReady()
            let bench = NumberList(source: source)
            weak let list = bench.list
            bench.close()
            source.release()
            XCTAssert(pump { list == nil })
            while g_main_context_iteration(nil, 0) != 0 {}
            XCTAssertEqual(source.asked, [])
        }
    }
}
