import CGTK
import CTestEvents
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK

/// A grid between two zoom levels, and its thumbnails.
final class GridZoomTests: XCTestCase {
    /// Turns the wheel over a cell while Ctrl is held.
    @MainActor
    private static func zoom(_ bench: NumberGrid, over cell: Int, button: Int32) {
        let box = bench.box(of: cell)
        bench.move(box.x + box.width / 2, box.y + box.height / 2)
        test_key(gulong(GDK_KEY_Control_L), 1)
        test_button(button, 1)
        test_button(button, 0)
        test_key(gulong(GDK_KEY_Control_L), 0)
        bench.settle()
    }

    /// Checks that the picture's colour fills a cell's box from corner to corner, approximately, because thumbnails
    /// use lossy compression.
    @MainActor
    private static func fills(_ bench: NumberGrid, _ cell: Int, _ color: UInt32) -> Bool {
        let (screen, box) = (bench.screen(), bench.pictureBox(of: cell))
        return [(box.x + 1, box.y + 1), (box.right - 2, box.bottom - 2)].allSatisfy { x, y in
            [0, 8, 16].allSatisfy { abs(Int(screen[x, y] >> $0 & 255) - Int(color >> $0 & 255)) <= 8 }
        }
    }

    func testTheOldPicturesAreStretchedUntilTheNewOnesAreThere() {
        onMain {
            let bench = NumberGrid()
            var told: [Double] = []
            bench.grid.onZoom = { told.append($0) }
            bench.grid.scroll(to: 100, .top)
            bench.pumpUntilComplete()
            let place = bench.box(of: 101)
            bench.engine.hold()
            let drawn = bench.engine.started.count
            Self.zoom(bench, over: 101, button: 4)
            XCTAssertEqual(told, [1.25])
            XCTAssertEqual(bench.grid.columns, 3)
            // The cell below the pointer stayed in place.
            XCTAssertEqual(bench.box(of: 101).y, place.y)
            XCTAssertEqual(bench.pictureBox(of: 101).width, 125)
            XCTAssert(pump { bench.engine.started.count > drawn })
            XCTAssertEqual(bench.grid.content(of: 101), .picture)
            XCTAssertEqual(bench.grid.slots[101]?.picture?.askedWidth, 100)
            XCTAssert(Self.fills(bench, 101, 101))
            bench.engine.release()
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.slots[101]?.picture?.image.size.width, 125)
            XCTAssert(Self.fills(bench, 101, 101))
            bench.press(GDK_KEY_0, holding: [GDK_KEY_Control_L])
            bench.press(GDK_KEY_minus, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(told, [1.25, 1, 0.8])
            bench.pumpUntilComplete()
            XCTAssertEqual(bench.grid.columns, 4)
            // The wheel without Ctrl scrolls.
            let value = bench.value
            test_button(5, 1)
            test_button(5, 0)
            XCTAssert(pump { bench.value > value })
            XCTAssertEqual(bench.grid.zoom, 0.8)
            bench.close()
        }
    }

    /// Cells that appear on the screen at a new zoom level show the thumbnails of the old one.
    func testThumbnailsAreThereAtAnyZoom() {
        onMain {
            let bench = NumberGrid(cells: 60)
            bench.pumpUntilComplete()
            for cell in stride(from: 10, through: 59, by: 8) {
                bench.grid.scroll(to: cell, .nearest)
                bench.pumpUntilComplete()
            }
            bench.grid.scroll(to: 0, .top)
            bench.pumpUntilComplete()
            XCTAssert(pump { (0..<60).allSatisfy(bench.hasThumbnail) })
            bench.engine.hold()
            bench.grid.zoom = 1.5
            bench.grid.scroll(to: 59, .bottom)
            // The thumbnails must be visible in the first frame.
            pump(frames: 1, of: bench.inner)
            XCTAssert(bench.grid.visibleCells.allSatisfy { bench.grid.content(of: $0) == .thumbnail })
            XCTAssert(Self.fills(bench, 57, 57))
            bench.engine.release()
            bench.pumpUntilComplete()
            bench.close()
        }
    }

    /// A new grid with an existing store shows the thumbnails of its cells, and then draws their pictures.
    func testThumbnailsComeFromTheStoreAtTheStart() {
        onMain {
            let folder = NSTemporaryDirectory() + "offstage-grid-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let store = PictureStore(folder: folder)
            let first = NumberGrid(cells: 40, engine: NumberEngine(tint: 0x40_00_00), store: store)
            first.pumpUntilComplete()
            var isDone = false
            Task {
                await first.renderer.finish()
                await store.remove((0..<40).map { .pixels(of: "row/\($0)") })
                isDone = true
            }
            XCTAssert(pump { isDone })
            first.close()
            let engine = NumberEngine()
            engine.hold()
            let bench = NumberGrid(cells: 40, engine: engine, store: store)
            XCTAssert(pump { bench.grid.visibleCells.allSatisfy { bench.grid.content(of: $0) == .thumbnail } })
            pump(frames: 2, of: bench.inner)
            for cell in [0, 3, 9] { XCTAssert(Self.fills(bench, cell, UInt32(cell + 0x40_00_00)), "\(cell)") }
            engine.release()
            bench.pumpUntilComplete()
            for cell in [0, 3, 9] { XCTAssert(Self.fills(bench, cell, UInt32(cell)), "\(cell)") }
            bench.close()
            finish(bench.renderer)
        }
    }
}
