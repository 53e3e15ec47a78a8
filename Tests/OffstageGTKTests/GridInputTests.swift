import CGTK
import CTestEvents
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK

/// The pointer and the keyboard in a grid of four columns.
final class GridInputTests: XCTestCase {
    @MainActor
    private static func selected(_ bench: NumberGrid) -> [Int] { Array(bench.grid.selection) }

    func testClicksSelectAsInGTK() {
        onMain {
            let bench = NumberGrid()
            var (told, activated): ([[Int]], [Int]) = ([], [])
            bench.grid.onSelect = { told.append(Array($0)) }
            bench.grid.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            bench.click(cell: 2)
            XCTAssertEqual(Self.selected(bench), [2])
            bench.click(cell: 5, holding: [GDK_KEY_Shift_L])
            XCTAssertEqual(Self.selected(bench), [2, 3, 4, 5])
            bench.click(cell: 3, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(Self.selected(bench), [2, 4, 5])
            bench.click(cell: 8, holding: [GDK_KEY_Control_L, GDK_KEY_Shift_L])
            XCTAssertEqual(Self.selected(bench), [2, 3, 4, 5, 6, 7, 8])
            // A click without a movement on one of several selected cells selects only that cell.
            bench.click(cell: 4)
            XCTAssertEqual(Self.selected(bench), [4])
            XCTAssertEqual(told, [[2], [2, 3, 4, 5], [2, 4, 5], [2, 3, 4, 5, 6, 7, 8], [4]])
            bench.click(cell: 6, times: 2)
            XCTAssertEqual(activated, [6])
            // The selection is painted around the picture and leaves the picture unchanged.
            let (screen, box) = (bench.screen(), bench.box(of: 6))
            XCTAssertNotEqual(screen[box.x + 2, box.y + 2], screen[bench.box(of: 1).x + 2, bench.box(of: 1).y + 2])
            XCTAssertEqual(screen[box.x + 50, box.y + 40], 6)
            // A click outside all cells.
            bench.click(2, 2)
            XCTAssertEqual(Self.selected(bench), [])
            bench.close()
        }
    }

    func testTheKeyboardMovesTheCursorAndTheGridFollows() {
        onMain {
            let bench = NumberGrid(cells: 402)
            bench.pumpUntilComplete()
            bench.click(cell: 1)
            for (key, cell) in [
                (GDK_KEY_Right, 2), (GDK_KEY_Down, 6), (GDK_KEY_Left, 5), (GDK_KEY_Up, 1), (GDK_KEY_Up, 1),
                (GDK_KEY_Left, 0), (GDK_KEY_Left, 0), (GDK_KEY_Page_Down, 12), (GDK_KEY_Page_Up, 0),
                (GDK_KEY_End, 401), (GDK_KEY_Down, 401), (GDK_KEY_Up, 397), (GDK_KEY_Right, 398), (GDK_KEY_Down, 401),
                (GDK_KEY_Home, 0),
            ] {
                bench.press(key)
                XCTAssertEqual(Self.selected(bench), [cell])
                XCTAssertEqual(bench.grid.cursor, cell)
                bench.pumpUntilComplete()
                let box = bench.box(of: cell)
                XCTAssert(box.y >= 0 && box.bottom <= 400, "\(cell): \(box)")
            }
            bench.close()
        }
    }

    func testTheKeyboardSelects() {
        onMain {
            let bench = NumberGrid()
            var activated: [Int] = []
            bench.grid.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            bench.click(cell: 1)
            bench.press(GDK_KEY_Down, holding: [GDK_KEY_Shift_L])
            XCTAssertEqual(Self.selected(bench), [1, 2, 3, 4, 5])
            for _ in 0..<2 { bench.press(GDK_KEY_Right, holding: [GDK_KEY_Control_L]) }
            XCTAssertEqual(Self.selected(bench), [1, 2, 3, 4, 5])
            XCTAssertEqual(bench.grid.cursor, 7)
            bench.press(GDK_KEY_space, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(Self.selected(bench), [1, 2, 3, 4, 5, 7])
            bench.press(GDK_KEY_space)
            XCTAssertEqual(Self.selected(bench), [7])
            bench.press(GDK_KEY_Return)
            XCTAssertEqual(activated, [7])
            bench.press(GDK_KEY_a, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(bench.grid.selection.count, 1_000)
            bench.press(GDK_KEY_Escape)
            XCTAssertEqual(Self.selected(bench), [])
            bench.close()
        }
    }

    func testLettersFindACell() {
        onMain {
            let source = NumberCells(1_000)
            source.label = { ["apple", "banana", "Berry pie", "cherry"][$0 % 4] + ($0 < 4 ? "" : " \($0)") }
            let bench = NumberGrid(source: source)
            bench.pumpUntilComplete()
            bench.click(cell: 0)
            bench.press(GDK_KEY_b)
            XCTAssertEqual(bench.grid.cursor, 1)
            for key in [GDK_KEY_e, GDK_KEY_r, GDK_KEY_r, GDK_KEY_y, GDK_KEY_space, GDK_KEY_p, GDK_KEY_i, GDK_KEY_e] {
                bench.press(key)
            }
            XCTAssertEqual(bench.grid.cursor, 2)
            bench.close()
        }
    }

    func testARectangleSelectsTheCellsThatItTouches() {
        onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            let (first, last) = (bench.box(of: 1), bench.box(of: 6))
            bench.move(first.x - 4, first.y - 4)
            test_button(1, 1)
            bench.move(last.x + 20, last.y + 20)
            bench.settle()
            XCTAssertEqual(Self.selected(bench), [1, 2, 5, 6])
            // The rubber band is visible over the cells.
            XCTAssertNotEqual(bench.screen()[bench.pictureBox(of: 1).x + 20, bench.pictureBox(of: 1).y + 20], 1)
            bench.move(first.x + 20, first.y + 20)
            XCTAssertEqual(Self.selected(bench), [1])
            test_button(1, 0)
            bench.settle()
            XCTAssertEqual(bench.screen()[bench.pictureBox(of: 1).x + 20, bench.pictureBox(of: 1).y + 20], 1)
            bench.move(last.x, last.y)
            XCTAssertEqual(Self.selected(bench), [1])
            bench.close()
        }
    }

    func testARectangleBeyondTheEdgeScrolls() {
        onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            let first = bench.box(of: 1)
            bench.move(first.x - 4, first.y + 20)
            test_button(1, 1)
            bench.move(first.x + 30, 450)
            XCTAssert(pump { bench.grid.selection.contains(41) })
            XCTAssertGreaterThan(bench.value, 400)
            bench.move(first.x + 30, 200)
            XCTAssertNil(bench.grid.bandTimer)
            bench.move(first.x + 30, 450)
            test_button(1, 0)
            bench.settle()
            XCTAssertNil(bench.grid.bandTimer)
            bench.close()
        }
    }

    func testSizesThatAreNotNumbers() {
        onMain {
            // All cells are drawn, each as tall as a picture can be.
            let bench = NumberGrid(
                cells: 20,
                options: NumberGrid.options {
                    $0.lookAhead = .infinity
                    $0.cellSize = PixelSize(width: -5, height: 99_999)
                    $0.minimumColumns = 0
                    ($0.spacing, $0.padding) = (-3, -3)
                })
            bench.grid.zoom = .nan
            XCTAssertEqual(bench.grid.zoom, 1)
            bench.grid.zoom = .infinity
            XCTAssertEqual(bench.grid.zoom, 4)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.layout.pictureWidth, 32)
            bench.close()
        }
    }

    func testOtherModesOfSelection() {
        onMain {
            let bench = NumberGrid(options: NumberGrid.options { $0.selection = .single })
            bench.pumpUntilComplete()
            bench.click(cell: 1)
            bench.click(cell: 3, holding: [GDK_KEY_Shift_L])
            bench.press(GDK_KEY_a, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(Self.selected(bench), [3])
            bench.grid.selection = [5, 6, 5_000]
            XCTAssertEqual(Self.selected(bench), [5])
            bench.close()
            let none = NumberGrid(options: NumberGrid.options { $0.selection = .none })
            none.pumpUntilComplete()
            none.click(cell: 1)
            none.press(GDK_KEY_Down)
            XCTAssertEqual(none.grid.selection, [])
            XCTAssertEqual(none.grid.cursor, 5)
            none.close()
        }
    }
}
