import CGTK
import Offstage
import OffstageLists

/// An item's edge that keeps its position while heights change.
struct Anchor: Equatable {
    enum Edge { case top, bottom }

    var item: Int
    var edge: Edge
    /// GTK px from the top of the screen down to the item's top, or from the bottom of the screen down to the item's
    /// bottom.
    var distance: Double
}

/// The position of a layout on the screen. It keeps the visible items in position while heights change.
@MainActor
final class Viewport {
    let canvas: Canvas
    let suspender: ScrollSuspender
    /// The adjustment's value at which the layout begins. It differs from 0 while the view scrolls and heights above
    /// have changed: GTK's kinetic scrolling continues from values that it knows, so they must not change meanwhile.
    private(set) var origin = 0
    /// The predicted end of the movement.
    private(set) var forecast = ScrollForecast()
    /// The direction of the last movement.
    private(set) var travel = Travel.forward
    private var anchor: Anchor?
    private var lastValue = 0.0
    /// True while the viewport itself sets the adjustment's value.
    private var isPlacing = false

    init(_ canvas: Canvas, suspender: ScrollSuspender) {
        self.canvas = canvas
        self.suspender = suspender
    }

    // MARK: Positions

    /// The adjustment's value, rounded to whole device px so that pictures stay sharp.
    var value: Double {
        let scale = Double(canvas.scale)
        return (gtk_adjustment_get_value(canvas.adjustment) * scale).rounded() / scale
    }

    /// The position in the layout that is at the top of the screen.
    var top: Double { value - Double(origin) }

    /// GTK px from the top of the screen to a position in the layout.
    func screen(_ y: Int) -> Double { Double(y + origin) - value }

    /// The position in the layout that is at a position of the screen; nil above the screen.
    func position(atScreen y: Double) -> Int? { y < 0 ? nil : Int((y + value).rounded(.down)) - origin }

    // MARK: Movement

    /// Notes that the adjustment's value has changed.
    ///
    /// - Returns: false if the viewport itself has set the value.
    func noteMovement(in layout: some VerticalLayout) -> Bool {
        if isPlacing { return false }
        let now = gtk_adjustment_get_value(canvas.adjustment)
        if now != lastValue { travel = now > lastValue ? .forward : .backward }
        takeAnchor(in: layout)
        return true
    }

    /// Begins a frame.
    ///
    /// - Returns: true if more than a whole screen has passed since the last frame, so the items passed unseen.
    func beginFrame() -> Bool {
        let now = gtk_adjustment_get_value(canvas.adjustment)
        defer { lastValue = now }
        if !suspender.isScrolling {
            forecast.rest()
        } else if now != lastValue {
            forecast.note(
                now - lastValue, page: Double(canvas.height), isHeld: suspender.isHeld, at: .now)
        }
        return suspender.isScrolling && forecast.movement != .jump && abs(now - lastValue) > Double(canvas.height)
    }

    /// Takes the position from a new adjustment, like GTK's own lists.
    func adjustmentReplaced() {
        origin = 0
        forgetPlace()
    }

    /// Scrolls to an item, which stays in its position while heights become known, until the user scrolls.
    ///
    /// - Returns: false if the item is already in position.
    func scroll(to item: Int, _ place: RowPlace, in layout: some VerticalLayout) -> Bool {
        let page = Double(canvas.height)
        let (top, bottom) = (Double(layout.top(of: item)), Double(layout.bottom(of: item)))
        let wanted: Anchor
        switch place {
        case .top: wanted = Anchor(item: item, edge: .top, distance: 0)
        case .bottom: wanted = Anchor(item: item, edge: .bottom, distance: 0)
        case .center:
            wanted = Anchor(item: item, edge: .top, distance: max(0, (page - (bottom - top)) / 2))
        case .nearest:
            if top >= self.top, bottom <= self.top + page { return false }
            wanted = Anchor(item: item, edge: top < self.top || bottom - top > page ? .top : .bottom, distance: 0)
        }
        anchor = wanted
        self.place(at: self.top(of: wanted, in: layout), in: layout)
        // Near the ends of the layout, the item can be elsewhere, so anchor its actual position.
        if layout.total <= canvas.height { anchor = nil }
        return true
    }
}

// MARK: Changes of the layout

extension Viewport {
    /// Anchors the visible items, unless an anchor already exists.
    func holdPlace(in layout: some VerticalLayout) { if anchor == nil { takeAnchor(in: layout) } }

    /// Anchors an item where it is now.
    func hold(_ item: Int, in layout: some VerticalLayout) {
        guard item >= 0, item < layout.count else { return holdPlace(in: layout) }
        anchor = Anchor(item: item, edge: .top, distance: Double(layout.top(of: item)) - top)
    }

    private func takeAnchor(in layout: some VerticalLayout) {
        anchor = nil
        guard layout.count > 0, canvas.height > 0 else { return }
        let (top, page) = (self.top, Double(canvas.height))
        // At the end, keep the end visible.
        if top > 0.5, top + page >= Double(layout.total) - 0.5 {
            anchor = Anchor(item: layout.count - 1, edge: .bottom, distance: 0)
            return
        }
        // An item that begins above the screen grows upwards, if another item begins on the screen.
        let visible = layout.items(from: Int(top), to: Int((top + page).rounded(.up)))
        let item = visible.first { Double(layout.top(of: $0)) >= top } ?? visible.lowerBound
        anchor = Anchor(item: item, edge: .top, distance: Double(layout.top(of: item)) - top)
    }

    /// Gives the anchor the new number of its item, after items were inserted or removed.
    func renumber(_ shifted: (Int) -> Int, in layout: some VerticalLayout) {
        guard var moved = anchor else { return }
        moved.item = shifted(moved.item)
        anchor = moved.item < layout.count ? moved : nil
    }

    /// Moves the layout after heights have changed, so that the anchor's edge keeps its position.
    func keepPlace(in layout: some VerticalLayout) {
        guard let anchor else { return updateAdjustment(for: layout) }
        let old = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        let wanted = top(of: anchor, in: layout)
        if suspender.isScrolling, !isPlacing {
            // GTK's scrolling continues from the value that it knows, so move the beginning of the layout instead.
            let shift = Int((old - wanted).rounded())
            if shift != 0 { origin += shift }
            updateAdjustment(for: layout)
        } else {
            place(at: wanted, in: layout)
        }
    }

    /// The position in the layout that has to be at the top of the screen so that the anchor is in position.
    private func top(of anchor: Anchor, in layout: some VerticalLayout) -> Double {
        switch anchor.edge {
        case .top: Double(layout.top(of: anchor.item)) - anchor.distance
        case .bottom: Double(layout.bottom(of: anchor.item)) - anchor.distance - Double(canvas.height)
        }
    }

    /// Lets the layout begin at 0 again, once scrolling has ended.
    func settle(in layout: some VerticalLayout) {
        if origin == 0 { return }
        let top = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        origin = 0
        place(at: top, in: layout)
    }

    /// Removes the anchor, until the next movement or change.
    func forgetPlace() { anchor = nil }

    func showTop(of layout: some VerticalLayout) { place(at: 0, in: layout) }

    private func place(at top: Double, in layout: some VerticalLayout) {
        if !suspender.isScrolling { origin = 0 }
        configure(value: top + Double(origin), for: layout)
    }

    func updateAdjustment(for layout: some VerticalLayout) {
        configure(value: gtk_adjustment_get_value(canvas.adjustment), for: layout)
    }

    private func configure(value: Double, for layout: some VerticalLayout) {
        guard canvas.isThere else { return }
        let page = Double(canvas.height)
        let (lower, upper) = (Double(origin), Double(origin) + max(Double(layout.total), page))
        isPlacing = true
        suspender.ignoring {
            gtk_adjustment_configure(canvas.adjustment, value, lower, upper, max(20, page * 0.1), page * 0.9, page)
        }
        isPlacing = false
        lastValue = gtk_adjustment_get_value(canvas.adjustment)
    }
}
