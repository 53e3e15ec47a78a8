import Offstage
import OffstageLists

/// A list's rows: one below the other, each as wide as the list and as high as its picture. Pictures are centred.
struct RowLayout: ResizableLayout {
    private let horizontalPadding: Int
    private let verticalPadding: Int
    private let maximumWidth: Int?
    private var heights: RowHeights
    /// The width of the list.
    private(set) var width = 0
    /// The width of the pictures; 0 before the widget has a size.
    private(set) var pictureWidth = 0

    init(count: Int, options: ListOptions) {
        horizontalPadding = options.horizontalPadding
        verticalPadding = options.verticalPadding
        maximumWidth = options.maximumWidth
        heights = RowHeights(count: count, estimate: max(1, options.estimatedHeight))
    }

    // MARK: Positions

    var count: Int { heights.count }
    var total: Int { heights.total }

    /// The top of a row; for `count`, the end of the last row.
    func top(of row: Int) -> Int { heights.top(of: row) }

    func bottom(of row: Int) -> Int { heights.bottom(of: row) }

    func items(from top: Int, to bottom: Int) -> Range<Int> { heights.rows(from: top, to: bottom) }

    func box(of row: Int) -> ItemBox { ItemBox(x: 0, y: top(of: row), width: width, height: heights[row]) }

    func pictureBox(of row: Int) -> ItemBox {
        ItemBox(
            x: (width - pictureWidth) / 2, y: top(of: row) + verticalPadding, width: pictureWidth,
            height: heights[row] - 2 * verticalPadding)
    }

    func item(atX x: Int, y: Int) -> Int? { y >= 0 && y < total ? heights.row(at: y) : nil }

    /// The row at a position. Above the list, it is the first row; below the list, the last one.
    func row(at y: Int) -> Int { heights.row(at: y) }

    // MARK: Changes

    /// - Returns: true if the width of the pictures has changed.
    mutating func setWidth(_ width: Int) -> Bool {
        self.width = width
        let room = width - 2 * horizontalPadding
        let old = pictureWidth
        pictureWidth = max(1, min(room, maximumWidth ?? room))
        return pictureWidth != old
    }

    /// True if a row has a picture of this height, within a tolerance, GTK px.
    func hasPicture(ofHeight height: Int, in row: Int, within difference: Double = 0) -> Bool {
        heights.isKnown(row) && abs(Double(heights[row] - 2 * verticalPadding - height)) <= difference
    }

    mutating func setPictureHeight(_ height: Int, of row: Int) { heights.set(height + 2 * verticalPadding, of: row) }

    mutating func insert(_ count: Int, at row: Int) { heights.insert(count, at: row) }

    mutating func remove(_ rows: Range<Int>) { heights.remove(rows) }

    /// Replaces all rows with others of unknown height. Keeps the estimate of the old rows.
    mutating func replaceAll(count: Int) { heights = RowHeights(count: count, estimate: heights.estimate) }
}
