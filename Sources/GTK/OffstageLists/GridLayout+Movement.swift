import Foundation

/// Movements from cell to cell, and rectangles of cells.
extension GridLayout {
    /// The column of a cell, from 0.
    package func column(of item: Int) -> Int { (item - section(with: item).first) % columns }

    /// The cell in a given column of the line at a position. In a shorter line, the last cell. The grid must not be
    /// empty.
    package func item(inColumn column: Int, at y: Int) -> Int {
        let line = line(at: y)
        return min(line.lowerBound + column, line.upperBound - 1)
    }

    /// The cell one line up; the same cell in the first line.
    package func above(_ item: Int) -> Int {
        let top = top(of: item)
        return top <= 0 ? item : self.item(inColumn: column(of: item), at: top - 1)
    }

    /// The cell one line down; the same cell in the last line.
    package func below(_ item: Int) -> Int {
        let bottom = bottom(of: item)
        return bottom >= total ? item : self.item(inColumn: column(of: item), at: bottom)
    }

    /// The cell at a distance below, or above if negative; at least one line away, if possible.
    package func item(from item: Int, by distance: Int) -> Int {
        let target = self.item(inColumn: column(of: item), at: top(of: item) + distance)
        if distance < 0 { return min(target, above(item)) }
        return max(target, below(item))
    }

    /// The cells that a rectangle touches.
    package func items(in box: ItemBox) -> IndexSet {
        var found = IndexSet()
        guard box.width > 0 else { return found }
        let touched = (0..<columns).filter { left(of: $0) < box.right && left(of: $0) + cellWidth > box.x }
        guard let first = touched.first, let last = touched.last else { return found }
        let all = items(from: box.y, to: box.bottom)
        var next = all.lowerBound
        while next < all.upperBound {
            let line = line(at: top(of: next))
            next = line.upperBound
            let cell = self.box(of: line.lowerBound)
            guard cell.y < box.bottom, cell.bottom > box.y, first < line.count else { continue }
            found.insert(integersIn: line.lowerBound + first..<min(line.lowerBound + last + 1, line.upperBound))
        }
        return found
    }
}
