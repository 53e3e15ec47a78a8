import Foundation
import SeededRandom
import Testing

@testable import OffstageLists

/// The positions of cells in a grid.
@Suite struct GridLayoutTests {
    private func metrics(_ change: (inout GridLayout.Metrics) -> Void = { _ in }) -> GridLayout.Metrics {
        var metrics = GridLayout.Metrics(pictureWidth: 100, pictureHeight: 50)
        (metrics.padding, metrics.labelHeight, metrics.spacing, metrics.headingHeight) = (5, 20, 10, 30)
        change(&metrics)
        return metrics
    }

    private func grid(
        _ count: Int, sections: [(count: Int, hasHeading: Bool)] = [], width: Int = 400,
        _ change: (inout GridLayout.Metrics) -> Void = { _ in }
    ) -> GridLayout {
        var layout = GridLayout(count: count, sections: sections, metrics: metrics(change))
        _ = layout.setWidth(width)
        return layout
    }

    @Test func asManyColumnsAsFit() {
        for (width, columns) in [(1, 1), (129, 1), (130, 1), (249, 1), (250, 2), (369, 2), (370, 3), (1_210, 10)] {
            let layout = grid(100, width: width)
            #expect(layout.columns == columns, "\(width)")
            if width >= 130 { #expect(layout.pictureWidth == 100 && layout.pictureHeight == 50, "\(width)") }
        }
    }

    @Test func cellsAreEvenlySpread() {
        let layout = grid(7, width: 430)
        // 60 px are left over; each of the three columns gets 20.
        #expect((0..<3).map { layout.box(of: $0).x } == [20, 160, 300])
        #expect((0..<3).map { layout.box(of: $0).y } == [10, 10, 10])
        #expect(layout.box(of: 3) == ItemBox(x: 20, y: 100, width: 110, height: 80))
        #expect(layout.pictureBox(of: 3) == ItemBox(x: 25, y: 105, width: 100, height: 50))
        #expect(layout.total == 3 * 90 + 10)
    }

    @Test func cellsShrinkForTheMinimumOfColumns() {
        let layout = grid(9, width: 250) { $0.minimumColumns = 3 }
        #expect(layout.columns == 3)
        #expect(layout.pictureWidth == (250 - 40) / 3 - 10)
        #expect(layout.pictureHeight == layout.pictureWidth / 2)
        #expect(layout.box(of: 2).right <= 240)
        #expect(grid(9, width: 2) { $0.minimumColumns = 3 }.pictureWidth == 1)
    }

    @Test func aHeadingBelongsToTheFirstLineOfItsSection() {
        let layout = grid(8, sections: [(4, true), (0, true), (4, true)], width: 370)
        #expect(layout.top(of: 0) == 0)
        #expect(layout.box(of: 0).y == 40)
        #expect(layout.top(of: 3) == 120)
        #expect(layout.bottom(of: 3) == 210)
        #expect(layout.top(of: 4) == 210)
        #expect(layout.box(of: 4).y == 250)
        #expect(layout.headings(from: 0, to: 1_000).map(\.section) == [0, 2])
        #expect(layout.headings(from: 0, to: 1_000).map(\.top) == [0, 210])
        #expect(layout.headings(from: 30, to: 210).isEmpty)
        #expect((0..<8).map(layout.section(of:)) == [0, 0, 0, 0, 2, 2, 2, 2])
    }

    @Test func sectionsThatDoNotFitTheCells() {
        #expect(grid(5, sections: [(-3, true), (Int.max, true)]).section(of: 4) == 1)
        #expect(grid(5, sections: [(2, true)]).section(of: 2) == 1)
        #expect(grid(5, sections: [(2, true)]).headings(from: 0, to: 9_999).count == 1)
        let empty = grid(0, sections: [(0, true)])
        #expect(empty.total == 0 && empty.items(from: 0, to: 100).isEmpty && empty.item(atX: 5, y: 5) == nil)
        #expect(empty.headings(from: 0, to: 100).isEmpty)
        #expect(grid(-1).count == 0)
    }

    @Test func theKeyboardMovesByLines() {
        // Lines: 0 1 2 | 3 || 4 5 6 | 7
        let layout = grid(8, sections: [(4, true), (4, true)], width: 370)
        #expect([0, 1, 2, 3, 4, 6, 7].map(layout.above) == [0, 1, 2, 0, 3, 3, 4])
        #expect([0, 1, 2, 3, 4, 6, 7].map(layout.below) == [3, 3, 3, 4, 7, 7, 7])
        #expect(layout.item(from: 0, by: 215) == 4)
        #expect(layout.item(from: 1, by: 10) == 3)
        #expect(layout.item(from: 1, by: 9_999) == 7)
        #expect(layout.item(from: 7, by: -9_999) == 0)
    }

    @Test(arguments: Seed.some(20))
    func everyPointIsInTheRightCell(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sections = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            (Int.random(in: 0...9, using: &random), Bool.random(using: &random))
        }
        let count = Int.random(in: 1...40, using: &random)
        let width = Int.random(in: 20...700, using: &random)
        let layout = grid(count, sections: sections, width: width) {
            $0.spacing = Int.random(in: 0...12, using: &random)
            $0.minimumColumns = Int.random(in: 0...3, using: &random)
        }
        let boxes = (0..<count).map(layout.box(of:))
        for _ in 0..<200 {
            let (x, y) = (
                Int.random(in: -5...width + 5, using: &random), Int.random(in: -5...layout.total, using: &random)
            )
            let expected = boxes.firstIndex { x >= $0.x && x < $0.right && y >= $0.y && y < $0.bottom }
            #expect(layout.item(atX: x, y: y) == expected, "seed \(seed), \(x) \(y)")
            // A line's band includes the space above it.
            let bottom = y + Int.random(in: 1...200, using: &random)
            let touched = boxes.indices.filter { layout.top(of: $0) < bottom && layout.bottom(of: $0) > y }
            #expect(Array(layout.items(from: y, to: bottom)) == touched, "seed \(seed), \(y) \(bottom)")
            let box = ItemBox(x: x, y: y, width: Int.random(in: 1...300, using: &random), height: bottom - y)
            let inside = boxes.indices.filter {
                boxes[$0].x < box.right && boxes[$0].right > box.x && boxes[$0].y < bottom && boxes[$0].bottom > y
            }
            #expect(Array(layout.items(in: box)) == inside, "seed \(seed), \(box)")
        }
        #expect(zip(boxes, boxes.dropFirst()).allSatisfy { $0.y < $1.y || $0.right <= $1.x }, "seed \(seed)")
        #expect((1..<count).allSatisfy { layout.top(of: $0 - 1) <= layout.top(of: $0) }, "seed \(seed)")
        #expect(layout.bottom(of: count - 1) == layout.total && layout.top(of: count) == layout.total)
    }
}
