import CGTK
import COffstageGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK

/// A grid as assistive technology sees it, and its actions.
final class GridAccessibilityTests: XCTestCase {
    private static func attributes(_ one: Accessible) -> [String: String] {
        onMain {
            var (found, next) = ([String: String](), atk_object_get_attributes(one.object))
            let all = next
            while let node = next {
                let attribute = node.pointee.data.assumingMemoryBound(to: AtkAttribute.self).pointee
                found[String(cString: attribute.name)] = String(cString: attribute.value)
                next = node.pointee.next
            }
            atk_attribute_set_free(all)
            return found
        }
    }

    func testAllCellsAreThereWithTheirNamesAndPlaces() throws {
        try onMain {
            let bench = NumberGrid(cells: 20_000)
            bench.pumpUntilComplete()
            let grid = Accessible(of: bench.inner)
            XCTAssertEqual(grid.count, 20_000)
            XCTAssert(grid.has(ATK_STATE_MULTISELECTABLE))
            let (cell, far) = (try XCTUnwrap(grid[5]), try XCTUnwrap(grid[19_999]))
            XCTAssertEqual([cell.name, far.name], ["Number 5", "Number 19999"])
            XCTAssertEqual(cell.text, "Number 5")
            XCTAssertEqual([cell.isShowing, far.isShowing], [true, false])
            XCTAssertEqual(Self.attributes(cell), ["posinset": "6", "setsize": "20000"])
            let (box, origin) = (bench.box(of: 5), bench.origin())
            XCTAssertEqual(cell.box(), [origin.x + box.x, origin.y + box.y, box.width, box.height])
            XCTAssertEqual(grid.child(atX: origin.x + box.x + 9, y: origin.y + box.y + 9)?.index, 5)
            // Between cells.
            XCTAssertNil(grid.child(atX: origin.x + box.x - 3, y: origin.y + box.y + 9))
            XCTAssertEqual(grid.tableRows, Array(bench.grid.visibleCells))
            for number in [-1, 20_000, Int(Int32.max), Int(Int32.min)] { XCTAssertNil(grid[number], "\(number)") }
            bench.close()
        }
    }

    /// A cell's text is its label, so no cell is drawn while a screen reader walks through a folder of photos.
    func testCellsFarAwayAreNotDrawnForTheirTexts() throws {
        try onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            XCTAssert(pump { bench.renderer.waitingCount + bench.renderer.runningCount == 0 })
            let (grid, drawn) = (Accessible(of: bench.inner), bench.engine.started)
            let cells = try (500..<520).map { try XCTUnwrap(grid[$0]) }
            XCTAssertEqual(cells.last?.name, "Number 519")
            pump(frames: 10, of: bench.inner)
            XCTAssert(pump { bench.renderer.waitingCount + bench.renderer.runningCount == 0 })
            XCTAssertEqual(bench.engine.started, drawn)
            bench.close()
        }
    }

    func testTheFirstCellOfASectionHasItsHeading() throws {
        try onMain {
            let source = NumberCells(20)
            source.sections = [GridSection(title: "First", cellCount: 5), GridSection(title: "Second", cellCount: 15)]
            let bench = NumberGrid(source: source)
            bench.pumpUntilComplete()
            let grid = Accessible(of: bench.inner)
            let cells = try [0, 1, 5, 6].map { try XCTUnwrap(grid[$0]) }
            XCTAssertEqual(cells.map(\.description), ["First", "", "Second", ""])
            source.numbers.removeFirst()
            source.sections[0].cellCount = 4
            bench.grid.removeCells(0..<1)
            XCTAssertEqual(cells.dropFirst().map(\.description), ["First", "Second", ""])
            bench.close()
        }
    }

    func testTheCursorIsTheActiveDescendant() throws {
        try onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            let grid = Accessible(of: bench.inner)
            let (events, first) = (AccessibleEvents(grid), try XCTUnwrap(grid[1]))
            let own = AccessibleEvents(first)
            bench.click(cell: 1)
            XCTAssertEqual(events.take().filter { !$0.hasPrefix("state") }.last, "active 1")
            XCTAssertEqual(Set(own.take()), ["state selected on", "state focused on"])
            bench.press(GDK_KEY_Down, holding: [GDK_KEY_Shift_L])
            XCTAssertEqual(events.take(), ["selection", "active 5"])
            XCTAssertEqual(own.take(), ["state focused off"])
            XCTAssert(first.has(ATK_STATE_SELECTED) && !first.has(ATK_STATE_FOCUSED))
            XCTAssertEqual(grid.selection, [1, 2, 3, 4, 5])
            // Only the cursor moves.
            bench.press(GDK_KEY_Up, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(events.take(), ["active 1"])
            bench.press(GDK_KEY_space, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(grid.selection, [2, 3, 4, 5])
            XCTAssertEqual(own.take().filter { $0.contains("selected") }, ["state selected off"])
            bench.close()
        }
    }

    func testAClientSelectsAndActivatesCells() throws {
        try onMain {
            let bench = NumberGrid()
            var activated: [Int] = []
            bench.grid.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            let grid = Accessible(of: bench.inner)
            XCTAssert(grid.select(3) && grid.select(7))
            XCTAssertEqual(grid.selection, [3, 7])
            for cell in [-1, 1_000, Int(Int32.max)] { XCTAssertFalse(grid.select(cell), "\(cell)") }
            XCTAssert(grid.clearSelection())
            XCTAssertEqual(grid.selection, [])
            let far = try XCTUnwrap(grid[900])
            XCTAssert(far.grabFocus())
            bench.pumpUntilComplete()
            XCTAssert(far.isShowing && far.has(ATK_STATE_SELECTED))
            XCTAssertNotEqual(gtk_widget_is_focus(bench.inner), 0)
            XCTAssert(far.act())
            XCTAssertFalse(far.act(1))
            XCTAssertEqual(activated, [900])
            bench.close()
        }
    }

    func testChangesAreReported() throws {
        try onMain {
            let bench = NumberGrid(cells: 100)
            bench.pumpUntilComplete()
            let grid = Accessible(of: bench.inner)
            let (events, kept) = (AccessibleEvents(grid), try XCTUnwrap(grid[10]))
            bench.source.numbers.removeSubrange(3..<6)
            bench.grid.removeCells(3..<6)
            XCTAssertEqual(events.take(), ["removed 3"])
            XCTAssertEqual([kept.index, grid.count], [7, 97])
            bench.source.label = { "New \($0)" }
            bench.grid.reload()
            XCTAssertEqual(kept.name, "New 10")
            bench.close()
            XCTAssert(kept.has(ATK_STATE_DEFUNCT))
        }
    }
}
