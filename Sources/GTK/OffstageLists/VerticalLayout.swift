/// The vertical positions of the items of a list or a grid, px. No item begins above an earlier one.
package protocol VerticalLayout {
    var count: Int { get }
    /// The height of the whole layout.
    var total: Int { get }
    func top(of item: Int) -> Int
    func bottom(of item: Int) -> Int
    /// The items that are at least partly between two positions.
    func items(from top: Int, to bottom: Int) -> Range<Int>
}

extension RowHeights: VerticalLayout {
    package func bottom(of row: Int) -> Int { top(of: row + 1) }

    package func items(from top: Int, to bottom: Int) -> Range<Int> { rows(from: top, to: bottom) }
}
