import CGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// A slot never shows another row's picture.
final class RecyclingTests: XCTestCase {
    /// In every frame of fast scrolling, each row on the screen shows its own picture or none.
    func testEveryFrameShowsTheRightRows() {
        onMain {
            let engine = NumberEngine(capacity: 2) { row in row.number * 7919 % 23 }
            var options = ListOptions()
            options.drawing = .unlimited
            let bench = NumberList(rows: 5_000, engine: engine, options: options, keeps: false)
            var state: UInt64 = 7
            func random(_ count: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % count
            }
            var shown = 0
            for step in 0..<150 {
                switch random(4) {
                case 0: gtk_adjustment_set_value(bench.adjustment, Double(random(200_000)))
                case 1: bench.list.scroll(to: random(5_000), [.top, .bottom, .center][random(3)])
                default: gtk_adjustment_set_value(bench.adjustment, bench.value + Double(random(400) - 200))
                }
                pump(frames: 1 + random(3), of: bench.inner)
                // Pictures that have arrived since the last frame are not on the screen yet.
                while bench.list.updates.isDue { pump(frames: 1, of: bench.inner) }
                shown += Self.assertRight(bench, "step \(step)")
            }
            XCTAssertGreaterThan(shown, 100)
            bench.pumpUntilComplete()
            XCTAssertGreaterThan(Self.assertRight(bench, "at rest"), 2)
            // No more slots than two screens need, not one for every row that was visible.
            XCTAssertLessThan(bench.list.slots.all.count, 60)
            bench.close()
        }
    }

    /// - Returns: the number of rows that showed their pictures.
    @MainActor private static func assertRight(_ bench: NumberList, _ message: String) -> Int {
        let screen = bench.screen()
        var shown = 0
        for row in bench.list.slots.window.visible {
            let top = bench.list.screenTop(of: row) + Double(bench.list.options.verticalPadding)
            let bottom = bench.list.screenTop(of: row + 1) - Double(bench.list.options.verticalPadding)
            let middle = Int((max(0, top) + min(Double(screen.height), bottom)) / 2)
            guard top < Double(screen.height) - 1, bottom > 1, middle < screen.height else { continue }
            let color = screen[screen.width / 2, middle]
            // A placeholder is light grey; the numbers are much darker.
            if color > 0x10000 { continue }
            shown += 1
            XCTAssertEqual(Int(color), bench.source.numbers[row], "\(message), row \(row)")
        }
        return shown
    }

    func testAPictureThatComesForARowThatHasLeftIsNotShown() {
        onMain {
            let engine = NumberEngine(capacity: 1)
            let bench = NumberList(engine: engine)
            bench.pumpUntilComplete()
            let slot = bench.list.slots[0]!
            let old = slot.picture
            XCTAssertNotNil(old)
            slot.take(900, identifier: "row/900")
            // Act as if the old row's picture arrived now, after the first check.
            slot.show(old!)
            XCTAssertNil(slot.picture)
            bench.close()
        }
    }

    func testWhatHasLeftIsWithdrawn() {
        onMain {
            let engine = NumberEngine(capacity: 1) { _ in 5 }
            var options = ListOptions()
            options.drawing = .suspended
            let bench = NumberList(engine: engine, options: options)
            bench.pumpUntilComplete()
            bench.list.scroll(to: 500, .top)
            pump(frames: 2, of: bench.inner)
            bench.list.scroll(to: 900, .top)
            pump(frames: 2, of: bench.inner)
            bench.pumpUntilComplete()
            // Nothing was drawn during the scroll, and rows that were visible only for a moment are not drawn later.
            XCTAssertFalse(engine.started.contains { (480..<560).contains($0) }, "\(engine.started)")
            XCTAssertGreaterThan(bench.renderer.counters.cancelled, 0)
            bench.close()
        }
    }

    func testWhatIsInSightIsDrawnFirstAndThenWhatComesNext() {
        onMain {
            let engine = NumberEngine(capacity: 1)
            var options = ListOptions()
            options.lookAhead = 2
            let source = Numbers(100_000)
            source.height = { _ in 88 }
            let bench = NumberList(engine: engine, options: options, keeps: false, source: source)
            bench.pumpUntilComplete()
            bench.renderer.isSuspended = true
            bench.list.scroll(to: 50_000, .top)
            pump { !bench.list.isScrolling }
            pump(frames: 2, of: bench.inner)
            let before = engine.started.count
            bench.renderer.isSuspended = false
            pump { bench.renderer.waitingCount + bench.renderer.runningCount == 0 }
            let drawn = Array(engine.started[before...])
            let visible = bench.list.visibleRows
            XCTAssertEqual(visible.lowerBound, 50_000)
            XCTAssertEqual(Array(drawn.prefix(visible.count)), Array(visible))
            // Two screens ahead; behind, only the nearest rows.
            XCTAssertEqual(drawn.max()!, 50_000 + 3 * 500 / 100 - 1)
            XCTAssertEqual(drawn.min()!, 50_000 - 3)
            XCTAssertEqual(drawn.count, Set(drawn).count)
            XCTAssertLessThan(bench.source.asked.count, 200)
            bench.close()
        }
    }
}
