import CGTK
import COffstageGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK

/// The pointer, the keyboard, and links.
final class InputTests: XCTestCase {
    func testAClickSelectsAndADoubleClickActivates() {
        onMain {
            let bench = NumberList()
            var (selected, activated): ([Int?], [Int]) = ([], [])
            bench.list.onSelect = { selected.append($0) }
            bench.list.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            let y = Int(bench.list.screenTop(of: 2)) + 20
            bench.click(100, y)
            XCTAssertEqual(bench.list.selection, 2)
            bench.click(100, y)
            pump { !activated.isEmpty }
            XCTAssertEqual(activated, [2])
            XCTAssertEqual(selected, [2])
            // The selection is painted around the picture and leaves the picture unchanged.
            let screen = bench.screen()
            XCTAssertNotEqual(screen[3, y], screen[3, Int(bench.list.screenTop(of: 4)) + 20])
            XCTAssertEqual(screen[100, y], 2)
            bench.close()
        }
    }

    func testTheKeyboardMovesTheSelectionAndTheListFollows() {
        onMain {
            let bench = NumberList(rows: 500)
            bench.pumpUntilComplete()
            bench.click(100, 20)
            for (key, row) in [
                (GDK_KEY_Down, 1), (GDK_KEY_Down, 2), (GDK_KEY_Up, 1), (GDK_KEY_End, 499), (GDK_KEY_Down, 499),
                (GDK_KEY_Home, 0), (GDK_KEY_Up, 0),
            ] {
                bench.press(key)
                XCTAssertEqual(bench.list.selection, row)
                bench.pumpUntilComplete()
                XCTAssert(bench.list.visibleRows.contains(row))
                XCTAssertGreaterThanOrEqual(bench.list.screenTop(of: row), 0)
                XCTAssertLessThanOrEqual(bench.list.screenTop(of: row + 1), 500)
            }
            bench.press(GDK_KEY_Page_Down)
            let row = bench.list.selection ?? 0
            XCTAssert((3...6).contains(row), "\(row)")
            bench.press(GDK_KEY_Page_Up)
            XCTAssertEqual(bench.list.selection, 0)
            bench.close()
        }
    }

    func testALinkIsHitWhereItIsAndNowhereElse() {
        onMain {
            let bench = NumberList(rows: 50)
            bench.source.height = { _ in 60 }
            bench.source.areas = {
                [PictureArea(x: 0, y: 0, width: 380, height: 60, identifier: "all")]
                    + [PictureArea(x: 20, y: 10, width: 100, height: 20, target: "there/\($0)")]
            }
            bench.list.reload()
            var told: [String] = []
            bench.list.onLink = { told.append("\($0) \($1)") }
            XCTAssert(pump { (0...3).allSatisfy { bench.list.slots[$0]?.picture?.height == 60 } })
            bench.pumpUntilComplete()
            // Row 3's picture begins at y = 3 * 72 + 6, 8 px from the left.
            let top = 3 * 72 + 6
            for (x, y, isHit) in [
                (28, top + 10, true), (127, top + 29, true), (27, top + 10, false), (128, top + 29, false),
                (28, top + 9, false), (28, top + 30, false),
            ] {
                told = []
                bench.click(x, y)
                XCTAssertEqual(told, isHit ? ["3 there/3"] : [], "\(x) \(y)")
            }
            XCTAssertEqual(bench.list.tooltip(x: 30, y: Double(top + 12)), "there/3")
            // Pressed on the link, released elsewhere.
            told = []
            bench.move(30, top + 12)
            test_button(1, 1)
            bench.move(300, top + 12)
            test_button(1, 0)
            bench.settle()
            XCTAssertEqual(told, [])
            bench.close()
        }
    }

    func testARowThatCannotBeDrawnShowsItsText() {
        onMain {
            let engine = NumberEngine()
            engine.fail(1)
            let bench = NumberList(rows: 5, engine: engine)
            var failed: [Int] = []
            bench.list.onFailure = { row, _ in failed.append(row) }
            XCTAssert(pump { !failed.isEmpty || bench.list.slots[1]?.hasFailed == true })
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.list.slots[1]?.hasFailed, true)
            XCTAssertNotNil(bench.list.slots[1]?.plainText)
            bench.close()
        }
    }
}
