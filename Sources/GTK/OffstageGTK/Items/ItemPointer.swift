/// A link of an item's picture.
struct ItemLink: Equatable {
    var item: Int
    /// The target as written in the source.
    var target: String
}

/// Finds items at points of the screen, GTK px from its top left corner.
@MainActor
protocol ItemFinder: AnyObject {
    func item(atScreen x: Double, _ y: Double) -> Int?
    /// The link at a point. If links overlap, it is the last one, which is painted on top.
    func link(atScreen x: Double, _ y: Double) -> ItemLink?
}

/// The pointer over a canvas, with the item and the link below it.
@MainActor
final class ItemPointer {
    private let canvas: Canvas
    weak var finder: (any ItemFinder)?
    /// Nil if the pointer is elsewhere.
    private(set) var position: (x: Double, y: Double)?
    private(set) var hoveredItem: Int?
    /// The last position, which may be outside the canvas while a button is down.
    private(set) var held: (x: Double, y: Double)?
    /// The link on which the button went down.
    private var pressedLink: ItemLink?

    init(_ canvas: Canvas) { self.canvas = canvas }

    func move(to x: Double, _ y: Double) {
        position = (x, y)
        held = position
        hover(finder?.item(atScreen: x, y))
        canvas.setCursor(finder?.link(atScreen: x, y) == nil ? nil : "pointer")
    }

    func leave() {
        position = nil
        hover(nil)
    }

    private func hover(_ item: Int?) {
        if item == hoveredItem { return }
        hoveredItem = item
        canvas.queueDraw()
    }

    /// Finds the item below the pointer after items have moved. The caller draws the next frame anyway.
    func update() { hoveredItem = position.flatMap { finder?.item(atScreen: $0.x, $0.y) } }

    /// Forgets the item below the pointer until the next update, because numbers have changed.
    func forgetItem() { hoveredItem = nil }

    /// The button went down at a point.
    ///
    /// - Parameter clicks: 2 for a double click, which follows no link.
    func press(clicks: Int, x: Double, y: Double) {
        pressedLink = clicks == 1 ? finder?.link(atScreen: x, y) : nil
    }

    /// The button went up at a point. A click needs both events on the same link; the user cancels it by moving off
    /// the link.
    ///
    /// - Parameter follow: called with the link that was clicked.
    /// - Returns: false if the button did not go down on a link.
    func release(x: Double, y: Double, follow: (ItemLink) -> Void) -> Bool {
        guard let pressed = pressedLink else { return false }
        pressedLink = nil
        if let link = finder?.link(atScreen: x, y), link == pressed { follow(link) }
        return true
    }
}
