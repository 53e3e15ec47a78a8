import Offstage

/// A rectangle in GTK px.
struct ItemBox: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// The positions of the items of a list or a grid, GTK px from the layout's top left corner.
protocol ItemLayout: VerticalLayout {
    /// The box of an item with its padding.
    func box(of item: Int) -> ItemBox
    /// The box of an item's picture.
    func pictureBox(of item: Int) -> ItemBox
    /// The item at a point; nil beside or between items.
    func item(atX x: Int, y: Int) -> Int?
}
