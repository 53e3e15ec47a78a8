import CWebKitGTK
import Offstage
import OffstageWebKit

/// The position of the list, and keeping it.
extension PictureList {
    /// The adjustment's value, rounded to whole device px so that pictures stay sharp.
    var value: Double {
        let scale = Double(canvas.scale)
        return (gtk_adjustment_get_value(canvas.adjustment) * scale).rounded() / scale
    }

    /// GTK px from the top of the screen to the top of a row.
    func screenTop(of row: Int) -> Double { Double(heights.top(of: row) + origin) - value }

    /// The row at a position on the screen.
    func row(atScreen y: Double) -> Int? {
        let place = Int((y + value).rounded(.down)) - origin
        guard y >= 0, place >= 0, place < heights.total else { return nil }
        return heights.row(at: place)
    }

    /// Called when the user has scrolled, or the program that owns the adjustment.
    func valueMoved() {
        if isPlacing { return }
        let now = gtk_adjustment_get_value(canvas.adjustment)
        if now != lastValue { window.travel = now > lastValue ? .forward : .backward }
        takeAnchor()
        isDirty = true
        canvas.queueUpdate()
    }

    /// Keeps the rows in their place that are visible now.
    func takeAnchor() {
        anchor = nil
        guard heights.count > 0, canvas.height > 0 else { return }
        let (top, page) = (value - Double(origin), Double(canvas.height))
        // At the end of the list, keep the end visible.
        if top > 0.5, top + page >= Double(heights.total) - 0.5 {
            anchor = Anchor(row: heights.count - 1, edge: .bottom, distance: 0)
            return
        }
        // A row that begins above the screen grows upwards, if another row begins on the screen.
        var row = heights.row(at: Int(top))
        if Double(heights.top(of: row)) < top, row + 1 < heights.count,
            Double(heights.top(of: row + 1)) < top + page
        {
            row += 1
        }
        anchor = Anchor(row: row, edge: .top, distance: Double(heights.top(of: row)) - top)
    }

    /// Sets a row's height and keeps the visible rows in their place.
    func setHeight(_ height: Int, of row: Int) {
        if heights.isKnown(row), heights[row] == height { return }
        if anchor == nil { takeAnchor() }
        heights.set(height, of: row)
        keepPlace()
        changed()
    }

    /// Moves the list after heights have changed, so that the anchor's edge keeps its place.
    func keepPlace() {
        guard let anchor else { return updateAdjustment() }
        let old = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        let wanted = top(of: anchor)
        if isScrolling, !isPlacing {
            // GTK's scrolling continues from the value that it knows, so move the beginning of the list instead.
            let shift = Int((old - wanted).rounded())
            if shift != 0 { origin += shift }
            updateAdjustment()
        } else {
            place(at: wanted)
        }
    }

    /// The position in the list, GTK px, that has to be at the top of the screen so that the anchor is in its place.
    func top(of anchor: Anchor) -> Double {
        switch anchor.edge {
        case .top: Double(heights.top(of: anchor.row)) - anchor.distance
        case .bottom: Double(heights.top(of: anchor.row + 1)) - anchor.distance - Double(canvas.height)
        }
    }

    /// Lets the list begin at 0 again, once nothing scrolls any more.
    func settlePlace() {
        if origin == 0 { return }
        let top = gtk_adjustment_get_value(canvas.adjustment) - Double(origin)
        origin = 0
        place(at: top)
    }

    /// - Parameter top: the position in the list, GTK px, to put at the top of the screen.
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
