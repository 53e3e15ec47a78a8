import CWebKitGTK
import Offstage
import OffstageWebKit

/// Where the list stands, and that it stays there.
extension PictureList {
    /// The adjustment's, in whole device px, at which pictures are as sharp as they were drawn.
    var value: Double {
        let scale = Double(canvas.scale)
        return (gtk_adjustment_get_value(canvas.adjustment) * scale).rounded() / scale
    }

    /// Px from the screen's top to a row's.
    func screenTop(of row: Int) -> Double { Double(heights.top(of: row) + origin) - value }

    /// The row at a place of the screen.
    func row(atScreen y: Double) -> Int? {
        let place = Int((y + value).rounded(.down)) - origin
        guard y >= 0, place >= 0, place < heights.total else { return nil }
        return heights.row(at: place)
    }

    /// The user has scrolled, or the program that owns the adjustment.
    func valueMoved() {
        if isPlacing { return }
        let now = gtk_adjustment_get_value(canvas.adjustment)
        if now != lastValue { window.travel = now > lastValue ? .forward : .backward }
        takeAnchor()
        isDirty = true
        canvas.queueUpdate()
    }

    /// From now on what is in sight now stays.
    func takeAnchor() {
        anchor = nil
        guard heights.count > 0, canvas.height > 0 else { return }
        let (top, page) = (value - Double(origin), Double(canvas.height))
        // At the end, what comes to be there is seen.
        if top > 0.5, top + page >= Double(heights.total) - 0.5 {
            anchor = Anchor(row: heights.count - 1, edge: .bottom, distance: 0)
            return
        }
        // A row that begins above the screen grows upwards, if there is one that begins on it.
        var row = heights.row(at: Int(top))
        if Double(heights.top(of: row)) < top, row + 1 < heights.count,
            Double(heights.top(of: row + 1)) < top + page
        {
            row += 1
        }
        anchor = Anchor(row: row, edge: .top, distance: Double(heights.top(of: row)) - top)
    }

    /// Notes a row's height and keeps what is in sight where it is.
    func setHeight(_ height: Int, of row: Int) {
        if heights.isKnown(row), heights[row] == height { return }
        if anchor == nil { takeAnchor() }
        heights.set(height, of: row)
        keepPlace()
        changed()
    }

    /// After heights have changed: the anchor's edge is where it was.
    func keepPlace() {
        guard let anchor else { return updateAdjustment() }
        let old = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        let wanted = top(of: anchor)
        if isScrolling, !isPlacing {
            // Whatever scrolls goes on from the value that it knows: the list's beginning moves instead.
            let shift = Int((old - wanted).rounded())
            if shift != 0 { origin += shift }
            updateAdjustment()
        } else {
            place(at: wanted)
        }
    }

    /// What stands at the screen's top, px of the list, for the anchor to be in its place.
    func top(of anchor: Anchor) -> Double {
        switch anchor.edge {
        case .top: Double(heights.top(of: anchor.row)) - anchor.distance
        case .bottom: Double(heights.top(of: anchor.row + 1)) - anchor.distance - Double(canvas.height)
        }
    }

    /// Nothing scrolls any more: the list begins at 0 again.
    func settlePlace() {
        if origin == 0 { return }
        let top = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        origin = 0
        place(at: top)
    }

    /// - Parameter top: what stands at the screen's top, px of the list.
    func place(at top: Double) {
        if !isScrolling { origin = 0 }
        configure(value: top + Double(origin))
    }

    func updateAdjustment() { configure(value: gtk_adjustment_get_value(canvas.adjustment)) }

    private func configure(value: Double) {
        guard canvas.isThere else { return }
        let page = Double(canvas.height)
        let (lower, upper) = (Double(origin), Double(origin) + max(Double(heights.total), page))
        isPlacing = true
        let body = {
            gtk_adjustment_configure(
                self.canvas.adjustment, value, lower, upper, max(20, page * 0.1), page * 0.9, page)
        }
        suspender?.ignoring(body)
        isPlacing = false
        lastValue = gtk_adjustment_get_value(canvas.adjustment)
    }
}
