import CGTK
import Offstage

/// Pointer and keyboard.
extension PictureList {
    func pressed(_ press: PointerPress) -> Bool {
        let (clicks, x, y) = (press.clicks, press.x, press.y)
        guard press.button == 1 else { return false }
        gtk_widget_grab_focus(canvas.inner)
        pointer.press(clicks: clicks, x: x, y: y)
        guard let row = item(atScreen: x, y) else { return true }
        if options.selectsRows { select(row) }
        if clicks == 2, link(atScreen: x, y) == nil { activate(row) }
        return true
    }

    func released(button: Int, x: Double, y: Double) -> Bool {
        button == 1 && pointer.release(x: x, y: y) { onLink?($0.item, $0.target) }
    }

    func tooltip(x: Double, y: Double) -> String? { link(atScreen: x, y)?.target }

    func activate(_ row: Int) {
        if options.liveRows == .whenActivated { makeLive(row: row) }
        onActivate?(row)
    }

    // MARK: Keyboard

    func keyPressed(_ press: KeyPress) -> Bool {
        // Keys with Ctrl belong to the host.
        guard layout.count > 0, !press.modifiers.contains(.control), let key = ItemKey(press.key) else { return false }
        switch key {
        case .step(let step): move(by: step)
        case .first: move(to: 0)
        case .last: move(to: layout.count - 1)
        case .page(let direction): movePage(direction)
        case .activate:
            guard let selectedRow else { return false }
            activate(selectedRow)
        case .endLive:
            guard let entry = live.entries.last else { return false }
            makeStill(row: entry.item)
        }
        return true
    }

    private func move(by step: Int) {
        guard options.selectsRows else { return scrollBy(Double(step) * 60) }
        // Start from the visible rows if nothing is selected.
        guard let selectedRow else { return move(to: slots.window.visible.lowerBound) }
        move(to: min(max(selectedRow + step, 0), layout.count - 1))
    }

    private func move(to row: Int) {
        if options.selectsRows {
            select(row)
            scroll(to: row)
        } else {
            scroll(to: row, row == 0 ? .top : .bottom)
        }
    }

    /// Moves by nine tenths of a screen, and selects the row that is then in that position.
    private func movePage(_ direction: Int) {
        let page = canvas.height * 9 / 10 * direction
        guard options.selectsRows else { return scrollBy(Double(page)) }
        let from = selectedRow ?? slots.window.visible.lowerBound
        let target = layout.row(at: max(0, layout.top(of: from) + page))
        move(to: target == from ? min(max(from + direction, 0), layout.count - 1) : target)
    }
}
