/// A rectangle, px.
package struct ItemBox: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package var right: Int { x + width }
    package var bottom: Int { y + height }
}

/// The positions of the items of a list or a grid, px from the layout's top left corner.
package protocol ItemLayout: VerticalLayout {
    /// The box of an item with its padding.
    func box(of item: Int) -> ItemBox
    /// The box of an item's picture.
    func pictureBox(of item: Int) -> ItemBox
    /// The item at a point; nil beside or between items.
    func item(atX x: Int, y: Int) -> Int?
}
