import CGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// The content that the user is looking at does not move.
final class PlaceTests: XCTestCase {
    func testRowsAreAsHighAsTheirPictures() {
        onMain {
            let bench = NumberList(rows: 4)
            bench.pumpUntilComplete()
            let runs = bench.screen().runs(x: 200).filter { $0.color < 100 }
            XCTAssertEqual(runs.map(\.color), [0, 1, 2, 3])
            var top = 6
            for (number, run) in runs.enumerated() {
                let height = bench.source.height(number)
                XCTAssertEqual(run.rows, top..<top + height)
                top += height + 12
            }
            bench.close()
        }
    }

    func testNothingJumpsWhenRowsAboveTurnOutHigher() {
        onMain {
            let bench = NumberList(rows: 100_000)
            bench.source.height = { $0 < 50_000 ? 300 : 60 }
            bench.list.scroll(to: 50_000, .top)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.screenTop(of: 50_000), 0)
            XCTAssertGreaterThan(bench.value, 1_000_000)
            // Scrolling up a little draws the rows above, which are taller than estimated.
            for _ in 0..<6 {
                let before = bench.list.visibleRows
                let stays = before.lowerBound + 1
                gtk_adjustment_set_value(bench.adjustment, bench.value - 60)
                pump(frames: 1, of: bench.inner)
                let top = bench.list.screenTop(of: stays)
                bench.pumpUntilComplete()
                XCTAssertEqual(bench.list.screenTop(of: stays), top, "row \(stays)")
            }
            XCTAssertEqual(bench.list.viewport.origin, 0)
            bench.close()
        }
    }

    func testTheValueStaysWhileItScrolls() {
        onMain {
            // Kinetic scrolling continues from its own last value.
            var options = ListOptions()
            options.drawing = .unlimited
            // Other programs can delay a frame by more than the default of 80 ms. The list would then count as
            // resting.
            options.suspension.settling = .seconds(2)
            let bench = NumberList(rows: 10_000, options: options)
            bench.source.height = { $0 % 2 == 0 ? 400 : 30 }
            bench.list.scroll(to: 5_000, .top)
            bench.pumpUntilComplete()
            for step in 0..<40 {
                let wanted = bench.value - 37
                gtk_adjustment_set_value(bench.adjustment, wanted)
                let row = bench.list.layout.row(at: Int(bench.list.viewport.value) - bench.list.viewport.origin) + 1
                let top = bench.list.screenTop(of: row)
                pump(frames: 2, of: bench.inner)
                XCTAssertEqual(bench.value, wanted, "step \(step)")
                XCTAssertEqual(bench.list.screenTop(of: row), top, "step \(step), row \(row)")
            }
            let row = bench.list.visibleRows.lowerBound + 1
            let top = bench.list.screenTop(of: row)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.screenTop(of: row), top)
            XCTAssertEqual(bench.list.viewport.origin, 0)
            XCTAssertEqual(gtk_adjustment_get_lower(bench.adjustment), 0)
            bench.close()
        }
    }

    func testTheEndStaysTheEnd() {
        onMain {
            let bench = NumberList(rows: 3_000)
            bench.source.height = { $0 > 2_990 ? 333 : 20 }
            bench.list.scroll(to: 2_999)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.screenTop(of: 3_000), 500)
            XCTAssertEqual(bench.value + 500, gtk_adjustment_get_upper(bench.adjustment))
            bench.close()
        }
    }

    func testRowsThatComeAndGoAboveMoveNothing() {
        onMain {
            let bench = NumberList(rows: 1_000)
            bench.list.scroll(to: 500, .top)
            bench.pumpUntilComplete()
            @MainActor func colors() -> [UInt32] { bench.screen().runs(x: 200).map(\.color).filter { $0 < 10_000 } }
            bench.list.selection = 501
            let before = colors()
            bench.source.numbers.insert(contentsOf: 2_000..<2_040, at: 100)
            bench.list.insertRows(40, at: 100)
            bench.pumpUntilComplete()
            XCTAssertEqual(colors(), before)
            XCTAssertEqual(bench.list.selection, 541)
            bench.source.numbers.removeSubrange(0..<200)
            bench.list.removeRows(0..<200)
            bench.pumpUntilComplete()
            XCTAssertEqual(colors(), before)
            XCTAssertEqual(bench.list.selection, 341)
            XCTAssertEqual(bench.list.rowCount, 840)
            // A row that is visible.
            let row = bench.list.visibleRows.lowerBound + 1
            let number = bench.source.numbers.remove(at: row)
            bench.list.removeRows(row..<row + 1)
            bench.pumpUntilComplete()
            XCTAssertFalse(bench.screen().runs(x: 200).contains { Int($0.color) == number })
            XCTAssertNil(bench.list.selection)
            bench.close()
        }
    }

    func testANewWidthIsAskedForOnceAndShownEnlargedUntilThen() {
        onMain {
            var options = ListOptions()
            // The test itself ends the wait, below.
            options.resizeDelay = .seconds(3600)
            let bench = NumberList(rows: 300, options: options)
            bench.list.scroll(to: 100, .top)
            bench.pumpUntilComplete()
            bench.renderer.isSuspended = true
            let before = bench.source.asked.count
            for width in stride(from: 410, through: 600, by: 10) {
                gtk_window_resize(cast(bench.window), Int32(width), 500)
                pump { bench.list.sizing.width == width - 16 }
                pump(frames: 1, of: bench.inner)
            }
            // No new picture is drawn, and the old ones are stretched to the width of the window.
            let screen = bench.screen()
            XCTAssertEqual(screen[590, 30], 100)
            XCTAssertEqual(screen[10, 30], 100)
            XCTAssertEqual(bench.list.screenTop(of: 100), 0)
            bench.renderer.isSuspended = false
            // Act as if the size had stopped changing.
            XCTAssertNotNil(bench.list.parts.resizeTimer)
            bench.list.parts.resizeTimer = nil
            bench.list.requestAgain()
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.slots[100]?.picture?.askedWidth, 584)
            XCTAssertLessThan(bench.source.asked.count - before, 60)
            XCTAssertEqual(bench.list.screenTop(of: 100), 0)
            bench.close()
        }
    }

    func testTheMonitorsScaleIsThePictures() {
        onMain {
            let bench = NumberList(rows: 300)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.slots[0]?.picture?.image.scale, 1)
            gdk_x11_display_set_window_scale(gdk_display_get_default(), 2)
            defer { gdk_x11_display_set_window_scale(gdk_display_get_default(), 1) }
            pump { bench.list.sizing.scale == 2 && bench.list.sizing.width == 384 }
            bench.pumpUntilComplete()
            let picture = bench.list.slots[0]!.picture!
            XCTAssertEqual(picture.image.size.width, bench.list.sizing.width * 2)
            XCTAssertEqual(picture.height, 40)
            let runs = bench.screen().runs(x: 200).filter { $0.color < 100 }
            XCTAssertEqual(runs[0].rows, 12..<92)
            bench.close()
        }
    }

    func testReload() {
        onMain {
            let bench = NumberList(rows: 50)
            bench.pumpUntilComplete()
            bench.source.version = { _ in 1 }
            bench.list.reload()
            // The old pictures also count as complete.
            XCTAssert(pump { bench.screen()[200, 30] == 0x10000 })
            bench.pumpUntilComplete()
            bench.source.numbers = [7]
            bench.list.reload()
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.list.rowCount, 1)
            XCTAssertEqual(bench.screen().runs(x: 200).map(\.color).first { $0 < 0x20000 }, 0x10007)
            bench.source.numbers = []
            bench.list.reload()
            pump(frames: 2, of: bench.inner)
            XCTAssertFalse(bench.screen().runs(x: 200).contains { $0.color < 0x20000 })
            bench.close()
        }
    }
}
