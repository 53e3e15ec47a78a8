import CWebKitGTK
import Offstage

/// Pointer and keyboard.
extension PictureList {
    func pointerMoved(x: Double, y: Double) {
        pointer = (x, y)
        let row = row(atScreen: y)
        if row != hoveredRow {
            hoveredRow = row
            canvas.queueDraw()
        }
        canvas.setCursor(link(atScreen: x, y) == nil ? nil : "pointer")
    }

    func pointerLeft() {
        pointer = nil
        if hoveredRow == nil { return }
        hoveredRow = nil
        canvas.queueDraw()
    }

    func pressed(button: Int, clicks: Int, x: Double, y: Double) -> Bool {
        guard button == 1 else { return false }
        gtk_widget_grab_focus(canvas.inner)
        pressedLink = clicks == 1 ? link(atScreen: x, y) : nil
        guard let row = row(atScreen: y) else { return true }
        if options.selectsRows { select(row) }
        if clicks == 2, link(atScreen: x, y) == nil { activate(row) }
        return true
    }

    func released(button: Int, x: Double, y: Double) -> Bool {
        guard button == 1, let pressed = pressedLink else { return false }
        pressedLink = nil
        // A click needs both events on the same link; the user cancels it by moving off the link.
        if let link = link(atScreen: x, y), link == pressed { onLink?(link.row, link.target) }
        return true
    }

    func tooltip(x: Double, y: Double) -> String? { link(atScreen: x, y)?.target }

    /// The link at a point of the screen. If links overlap, it is the last one, which is painted on top.
    func link(atScreen x: Double, _ y: Double) -> (row: Int, target: String)? {
        guard let row = row(atScreen: y), let slot = slot(of: row), let picture = slot.picture else { return nil }
        let factor = contentFactor(of: picture)
        let left = (x - Double(pictureLeft)) / factor
        let top = (y - screenTop(of: row) - Double(options.verticalPadding)) / factor
        let area = picture.image.areas.last {
            $0.target != nil && left >= $0.x && left < $0.x + $0.width && top >= $0.y && top < $0.y + $0.height
        }
        return area?.target.map { (row, $0) }
    }

    func activate(_ row: Int) {
        if options.liveRows == .whenActivated { makeLive(row: row) }
        onActivate?(row)
    }

    func partActivated(row: Int, link: Int) {
        guard row < heights.count else { return }
        if link < 0 {
            if options.selectsRows { select(row) }
            return activate(row)
        }
        guard let areas = slot(of: row)?.picture?.image.areas, link < areas.count, let target = areas[link].target
        else {
            return
        }
        onLink?(row, target)
    }

    // MARK: Keyboard

    func keyPressed(_ key: guint) -> Bool {
        guard heights.count > 0 else { return false }
        switch Int32(key) {
        case GDK_KEY_Up, GDK_KEY_KP_Up: move(by: -1)
        case GDK_KEY_Down, GDK_KEY_KP_Down: move(by: 1)
        case GDK_KEY_Home, GDK_KEY_KP_Home: move(to: 0)
        case GDK_KEY_End, GDK_KEY_KP_End: move(to: heights.count - 1)
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: movePage(-1)
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: movePage(1)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            guard let selectedRow else { return false }
            activate(selectedRow)
        case GDK_KEY_Escape:
            guard let entry = liveRows.last else { return false }
            makeStill(row: entry.row)
        default: return false
        }
        return true
    }

    private func move(by step: Int) {
        guard options.selectsRows else { return scrollByKey(Double(step) * 60) }
        // Start from the visible rows if nothing is selected.
        guard let selectedRow else { return move(to: window.visible.lowerBound) }
        move(to: min(max(selectedRow + step, 0), heights.count - 1))
    }

    private func move(to row: Int) {
        if options.selectsRows {
            select(row)
            scroll(to: row)
        } else {
            scroll(to: row, row == 0 ? .top : .bottom)
        }
    }

    /// Moves by nine tenths of a screen, and selects the row that is there then.
    private func movePage(_ direction: Int) {
        let page = canvas.height * 9 / 10 * direction
        guard options.selectsRows else { return scrollByKey(Double(page)) }
        let from = selectedRow ?? window.visible.lowerBound
        let target = heights.row(at: max(0, heights.top(of: from) + page))
        move(to: target == from ? min(max(from + direction, 0), heights.count - 1) : target)
    }

    private func scrollByKey(_ distance: Double) {
        gtk_adjustment_set_value(canvas.adjustment, gtk_adjustment_get_value(canvas.adjustment) + distance)
    }
}
