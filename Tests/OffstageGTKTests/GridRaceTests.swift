import CGTK
import Offstage
import SeededRandom
import XCTest

@testable import OffstageGTK

/// A cell never shows another cell's picture.
final class GridRaceTests: XCTestCase {
    /// Cells are recycled at random and pictures arrive in any order, while the grid scrolls, zooms and changes its
    /// width, and its cells are added, removed, shuffled and drawn again. In every frame, each cell shows its own
    /// picture or none.
    func testEveryFrameShowsTheRightCells() {
        onMain {
            for seed in Seed.some(1) { Self.ride(seed) }
        }
    }

    @MainActor private static func ride(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let engine = NumberEngine(capacity: 3) { row in row.number * 7919 % 23 }
        let source = NumberCells(3_000)
        let bench = NumberGrid(
            engine: engine,
            options: NumberGrid.options {
                $0.drawing = .unlimited
                $0.resizeDelay = .milliseconds(1)
            }, keeps: false, source: source)
        let grid = bench.grid!
        var (shown, next) = (0, 3_000)
        for step in 0..<200 {
            let start = Int.random(in: 0...max(0, source.numbers.count - 40), using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: gtk_adjustment_set_value(bench.adjustment, Double.random(in: 0...60_000, using: &random))
            case 2: grid.scroll(to: start, [.top, .bottom, .center].randomElement(using: &random)!)
            case 3: grid.zoom = [0.5, 0.8, 1, 1.5].randomElement(using: &random)!
            case 4: gtk_window_resize(cast(bench.window), .random(in: 200...600, using: &random), 400)
            case 5:
                // Change cells near the screen, where mistakes would be visible.
                let place = grid.visibleCells.lowerBound
                let count = Int.random(in: 1...9, using: &random)
                source.numbers.insert(contentsOf: next..<next + count, at: place)
                next += count
                grid.insertCells(count, at: place)
            case 6:
                let place = grid.visibleCells.lowerBound
                let removed = place..<min(place + Int.random(in: 1...9, using: &random), source.numbers.count)
                source.numbers.removeSubrange(removed)
                grid.removeCells(removed)
            case 7:
                source.numbers.shuffle(using: &random)
                grid.reload()
            default:
                gtk_adjustment_set_value(bench.adjustment, bench.value + .random(in: -300...300, using: &random))
            }
            pump(frames: Int.random(in: 1...3, using: &random), of: bench.inner)
            // Pictures that have arrived since the last frame are not on the screen yet.
            while grid.updates.isDue { pump(frames: 1, of: bench.inner) }
            shown += assertRight(bench, "seed \(seed), step \(step)")
        }
        XCTAssertGreaterThan(shown, 100, "seed \(seed)")
        bench.pumpUntilComplete()
        XCTAssertGreaterThan(assertRight(bench, "seed \(seed), at rest"), 0)
        // No more slots than two screens need at the smallest size, not one for every cell that was visible.
        XCTAssertLessThan(grid.slots.all.count, 400)
        bench.close()
    }

    /// - Returns: the number of cells that showed their pictures.
    @MainActor private static func assertRight(_ bench: NumberGrid, _ message: String) -> Int {
        let screen = bench.screen()
        var shown = 0
        for cell in bench.grid.visibleCells {
            let box = bench.pictureBox(of: cell)
            let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
            guard (0..<screen.width).contains(x), (1..<screen.height - 1).contains(y) else { continue }
            // A placeholder is light grey; the numbers are much darker. A window that has just grown is black where GTK has not
            // painted yet, and so is number 0.
            let color = screen[x, y]
            if color > 0x10000 || color == 0 { continue }
            shown += 1
            XCTAssertEqual(Int(color), bench.source.numbers[cell], "\(message), cell \(cell)")
        }
        return shown
    }
}
