import SeededRandom
import Testing

@testable import OffstageLists

@Suite struct RowHeightsTests {
    @Test func rowsThatAreNotKnownCountTheEstimate() {
        var heights = RowHeights(count: 100_000, estimate: 50)
        #expect(heights.total == 5_000_000)
        #expect(heights.top(of: 70_000) == 3_500_000)
        #expect(heights.row(at: 3_500_000) == 70_000)
        #expect(heights.row(at: 3_499_999) == 69_999)
        heights.set(30, of: 10)
        // The first known height becomes the estimate for the other rows.
        #expect(heights.estimate == 30)
        #expect(heights[11] == 30)
        #expect(!heights.isKnown(11))
        #expect(heights.isKnown(10))
    }

    @Test func placesOutsideAreTheEnds() {
        let heights = RowHeights(count: 3, estimate: 10)
        #expect(heights.row(at: -5) == 0)
        #expect(heights.row(at: 30) == 2)
        #expect(heights.rows(from: -20, to: 5) == 0..<1)
        #expect(heights.rows(from: 10, to: 11) == 1..<2)
        #expect(heights.rows(from: 9, to: 11) == 0..<2)
        #expect(heights.rows(from: 30, to: 40).isEmpty)
        #expect(RowHeights(count: 0, estimate: 10).rows(from: 0, to: 10).isEmpty)
        #expect(RowHeights(count: 0, estimate: 10).total == 0)
    }

    /// Compared with a plain array during random changes, insertions and removals.
    @Test(arguments: 0..<8) func answersAsAnArrayDoes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var model = [Int?](repeating: nil, count: random.number(40))
        var heights = RowHeights(count: model.count, estimate: 20)
        for _ in 0..<300 {
            switch random.number(8) {
            case 0:
                let (row, count) = (random.number(model.count + 1), random.number(5))
                model.insert(contentsOf: repeatElement(nil, count: count), at: row)
                heights.insert(count, at: row)
            case 1 where !model.isEmpty:
                let row = random.number(model.count)
                let end = min(model.count, row + random.number(4))
                model.removeSubrange(row..<end)
                heights.remove(row..<end)
            default:
                guard !model.isEmpty else { continue }
                let (row, height) = (random.number(model.count), 1 + random.number(90))
                model[row] = height
                heights.set(height, of: row)
            }
            let all = model.map { $0 ?? heights.estimate }
            #expect(heights.count == all.count)
            #expect(heights.total == all.reduce(0, +))
            var top = 0
            for (row, height) in all.enumerated() {
                #expect(heights.top(of: row) == top)
                #expect(heights.row(at: top) == row)
                #expect(heights.row(at: top + height - 1) == row)
                #expect(heights[row] == height)
                top += height
            }
        }
    }
}

extension SeededGenerator {
    /// A random number below `count`, or 0.
    fileprivate mutating func number(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &self) }
}
