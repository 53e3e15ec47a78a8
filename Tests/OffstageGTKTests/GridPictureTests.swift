import CGTK
import CTestEvents
import Offstage
import OffstageLists
import XCTest

@testable import OffstageGTK

/// A grid's pictures and headings on the screen.
final class GridPictureTests: XCTestCase {
    /// Checks that a number's picture fills its box and paints nothing outside it.
    @MainActor
    private static func assertPicture(
        _ number: Int, fills box: ItemBox, in bench: NumberGrid, file: StaticString = #filePath, line: UInt = #line
    ) {
        let screen = bench.screen()
        for (x, y) in [
            (box.x, box.y), (box.right - 1, box.y), (box.x, box.bottom - 1), (box.right - 1, box.bottom - 1),
        ] { XCTAssertEqual(Int(screen[x, y]), number, "\(x) \(y)", file: file, line: line) }
        for (x, y) in [
            (box.x - 2, box.y + 4), (box.right + 1, box.y + 4), (box.x + 4, box.y - 2), (box.x + 4, box.bottom + 1),
        ]
        where x >= 0 && y >= 0 && x < screen.width && y < screen.height {
            XCTAssertNotEqual(Int(screen[x, y]), number, "beyond, \(x) \(y)", file: file, line: line)
        }
    }

    func testAsManyColumnsAsFit() {
        onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.columns, 4)
            // 500 px minus four cells of 112 px with gaps of 8 px leave 12 px, which the columns share.
            XCTAssertEqual(bench.pictureBox(of: 0), ItemBox(x: 15, y: 14, width: 100, height: 75))
            XCTAssertEqual(bench.pictureBox(of: 4).y, 14 + 95)
            for cell in [0, 3, 4, 13] { Self.assertPicture(cell, fills: bench.pictureBox(of: cell), in: bench) }
            gtk_window_resize(cast(bench.window), 380, 400)
            pump { bench.grid.columns == 3 }
            bench.pumpUntilComplete()
            for cell in [0, 2, 3] { Self.assertPicture(cell, fills: bench.pictureBox(of: cell), in: bench) }
            // The pictures kept their size, so none was drawn again.
            XCTAssertEqual(bench.engine.started.count, Set(bench.engine.started).count)
            bench.close()
        }
    }

    /// Scrolling sends no pixels of pictures that the X server already has.
    func testAPictureIsSentToTheServerOnce() {
        onMain {
            let bench = NumberGrid()
            bench.pumpUntilComplete()
            @MainActor func uploaded(_ cell: Int) -> OpaquePointer? { bench.grid.slots[cell]?.picture?.uploaded }
            let first = bench.grid.visibleCells.map(uploaded)
            XCTAssert(!first.isEmpty && first.allSatisfy { $0 != nil })
            gtk_widget_queue_draw(bench.inner)
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.grid.visibleCells.map(uploaded), first)
            // The cells below were drawn ahead but have not been painted.
            let hidden = (bench.grid.visibleCells.upperBound..<1_000).prefix { bench.grid.slots[$0] != nil }
            XCTAssert(hidden.allSatisfy { uploaded($0) == nil })
            for cell in [0, 3] { Self.assertPicture(cell, fills: bench.pictureBox(of: cell), in: bench) }
            bench.close()
        }
    }

    func testLargePicturesStayWithTheHost() {
        onMain {
            let options = NumberGrid.options { $0.cellSize = PixelSize(width: 1_200, height: 900) }
            let bench = NumberGrid(cells: 2, options: options, width: 1_300, height: 1_000)
            bench.pumpUntilComplete()
            XCTAssertNotNil(bench.grid.slots[0]?.picture)
            XCTAssertNil(bench.grid.slots[0]?.picture?.uploaded)
            bench.close()
        }
    }

    func testSmallPicturesKeepTheirSizeAndLargeOnesFit() {
        onMain {
            let source = NumberCells(3)
            let sizes = [
                PixelSize(width: 40, height: 25), PixelSize(width: 200, height: 100), PixelSize(width: 50, height: 150),
            ]
            source.size = { sizes[$0] }
            let bench = NumberGrid(source: source)
            bench.pumpUntilComplete()
            let boxes = (0..<3).map(bench.pictureBox(of:))
            Self.assertPicture(
                0, fills: ItemBox(x: boxes[0].x + 30, y: boxes[0].y + 25, width: 40, height: 25), in: bench)
            Self.assertPicture(1, fills: ItemBox(x: boxes[1].x, y: boxes[1].y + 13, width: 100, height: 49), in: bench)
            Self.assertPicture(2, fills: ItemBox(x: boxes[2].x + 38, y: boxes[2].y, width: 24, height: 75), in: bench)
            bench.close()
        }
    }

    func testSectionsHaveHeadings() {
        onMain {
            let source = NumberCells(20)
            source.sections = [GridSection(title: "First", cellCount: 5), GridSection(title: "Second", cellCount: 15)]
            let bench = NumberGrid(source: source)
            bench.pumpUntilComplete()
            let heading = bench.grid.layout.metrics.headingHeight
            XCTAssertEqual(bench.box(of: 0).y, heading + 8)
            XCTAssertEqual(bench.box(of: 5).y, heading + 8 + 2 * 95 + heading)
            // The heading's text is dark on the list's white.
            let screen = bench.screen()
            for top in [0, 2 * 95 + heading] {
                let dark = (top + heading / 2 - 4..<top + heading + 4).filter { y in
                    (14..<60).contains { screen[$0, y] & 0xFF < 0x80 }
                }
                XCTAssertGreaterThan(dark.count, 5, "\(top)")
            }
            // Scrolling to a section's first cell also shows its heading.
            gtk_window_resize(cast(bench.window), 500, 200)
            pump { bench.canvas.height == 200 }
            bench.grid.scroll(to: 5, .top)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.box(of: 5).y, heading + 8)
            source.sections = []
            bench.grid.reload()
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.layout.box(of: 0).y, 8)
            bench.close()
        }
    }

    func testChangesKeepTheCellsInTheirPlace() {
        onMain {
            let bench = NumberGrid()
            bench.grid.scroll(to: 400, .top)
            bench.pumpUntilComplete()
            bench.grid.selection = [401, 402]
            bench.source.numbers.insert(contentsOf: 2_000..<2_008, at: 40)
            bench.grid.insertCells(8, at: 40)
            bench.pumpUntilComplete()
            XCTAssertEqual(Array(bench.grid.selection), [409, 410])
            XCTAssertEqual(bench.box(of: 408).y, 8)
            bench.source.numbers.removeSubrange(100..<120)
            bench.grid.removeCells(100..<120)
            bench.pumpUntilComplete()
            XCTAssertEqual(Array(bench.grid.selection), [389, 390])
            XCTAssertEqual(bench.box(of: 388).y, 8)
            Self.assertPicture(400, fills: bench.pictureBox(of: 388), in: bench)
            // If an index is wrong or the source has changed in another way, the grid reads all cells again.
            bench.source.numbers.removeLast(900)
            bench.grid.removeCells(0..<3)
            bench.grid.insertCells(-4, at: 99_999)
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.cellCount, 88)
            XCTAssertEqual(bench.grid.selection, [])
            bench.source.numbers = []
            bench.grid.reload()
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.grid.visibleCells, 0..<0)
            bench.press(GDK_KEY_Down)
            bench.close()
        }
    }
}
