/// The heights and positions of a list's rows. Most rows have not been visible yet.
///
/// A row of unknown height has an estimated height: the mean of the known heights. Apart from `insert` and `remove`,
/// every operation takes logarithmic time. Each node of a Fenwick tree has the sum of the known heights and their
/// number, so a new estimate costs nothing. Heights are whole px.
package struct RowHeights {
    private struct Sum {
        var height = 0
        var known = 0

        static func += (one: inout Sum, other: Sum) {
            one.height += other.height
            one.known += other.known
        }
    }

    /// The height of a row of unknown height; at least 1.
    package private(set) var estimate: Int
    /// 0 for an unknown height.
    private var heights: [Int]
    /// Entry `i` has the sum of the rows from `i - lowest bit of i` to `i - 1`; the first entry is unused.
    private var tree: [Sum]
    private var all = Sum()

    package init(count: Int, estimate: Int) {
        precondition(count >= 0 && estimate > 0, "a list has 0 or more rows, with an estimated height of 1 or more")
        self.estimate = estimate
        heights = Array(repeating: 0, count: count)
        tree = Array(repeating: Sum(), count: count + 1)
    }

    package var count: Int { heights.count }
    /// The height of all rows.
    package var total: Int { all.height + (count - all.known) * estimate }

    package subscript(row: Int) -> Int { heights[row] == 0 ? estimate : heights[row] }

    package func isKnown(_ row: Int) -> Bool { heights[row] != 0 }

    /// The position at which a row begins. For `count`, the end of the last row.
    package func top(of row: Int) -> Int {
        precondition(row >= 0 && row <= count, "the list has no row \(row); it has \(count)")
        var (sum, index) = (Sum(), row)
        while index > 0 {
            sum += tree[index]
            index &= index - 1
        }
        return sum.height + (row - sum.known) * estimate
    }

    /// The row at a position: the first row above the list, the last row below it. The list must not be empty.
    package func row(at y: Int) -> Int {
        precondition(count > 0, "a list without rows has no row at any position")
        var (row, top) = (0, 0)
        var step = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
        while step > 0 {
            if row + step <= count {
                let sum = tree[row + step]
                let next = top + sum.height + (step - sum.known) * estimate
                if next <= y { (row, top) = (row + step, next) }
            }
            step /= 2
        }
        return min(row, count - 1)
    }

    /// The rows that are at least partly between two positions.
    package func rows(from top: Int, to bottom: Int) -> Range<Int> {
        guard count > 0, bottom > top, bottom > 0, top < total else { return 0..<0 }
        return row(at: top)..<row(at: bottom - 1) + 1
    }

    /// Sets a row's height, at least 1.
    ///
    /// Each time the number of known heights doubles, their mean becomes the estimate.
    package mutating func set(_ height: Int, of row: Int) {
        let height = max(1, height)
        let change = Sum(height: height - heights[row], known: heights[row] == 0 ? 1 : 0)
        heights[row] = height
        add(change, at: row)
        if change.known > 0, all.known & (all.known - 1) == 0 {
            estimate = max(1, (all.height + all.known / 2) / all.known)
        }
    }

    private mutating func add(_ change: Sum, at row: Int) {
        all += change
        var index = row + 1
        while index <= count {
            tree[index] += change
            index += index & -index
        }
    }

    /// Inserts rows of unknown height. Takes time in proportion to the row count.
    package mutating func insert(_ new: Int, at row: Int) {
        precondition(new >= 0 && row >= 0 && row <= count, "cannot insert \(new) rows at row \(row) of \(count)")
        heights.insert(contentsOf: repeatElement(0, count: new), at: row)
        build()
    }

    package mutating func remove(_ rows: Range<Int>) {
        heights.removeSubrange(rows)
        build()
    }

    private mutating func build() {
        all = Sum()
        tree = Array(repeating: Sum(), count: count + 1)
        for (row, height) in heights.enumerated() {
            let sum = Sum(height: height, known: height == 0 ? 0 : 1)
            all += sum
            let index = row + 1
            tree[index] += sum
            let next = index + (index & -index)
            if next <= count { tree[next] += tree[index] }
        }
    }
}
