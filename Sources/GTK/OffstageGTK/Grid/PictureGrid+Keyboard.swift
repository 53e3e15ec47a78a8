import CGTK
import Offstage

/// The keyboard: movement, selection, zoom, and finding a cell by its first letters.
extension PictureGrid {
    /// The zooms to which users step.
    static let zooms = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5, 3]

    func keyPressed(_ press: KeyPress) -> Bool {
        if press.modifiers.contains(.control), zoomKeyPressed(press.key) { return true }
        guard layout.count > 0 else { return false }
        if let target = target(of: press.key) {
            move(to: target, press.modifiers)
            return true
        }
        switch Int32(press.key) {
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            guard let cursor = cells.cursor, press.modifiers.isEmpty else { return false }
            activate(cursor)
        case GDK_KEY_space, GDK_KEY_KP_Space:
            // In a word that is being typed, a space is a letter.
            if press.modifiers.isEmpty, typed.isTyping(at: press.time) { return type(press) }
            guard let cursor = cells.cursor else { return false }
            changeSelection { if press.modifiers.contains(.control) { $0.toggle(cursor) } else { $0.select(cursor) } }
        case GDK_KEY_a, GDK_KEY_A:
            if !press.modifiers.contains(.control) { return type(press) }
            guard cells.mode == .multiple else { return false }
            changeSelection { if press.modifiers.contains(.shift) { $0.clear() } else { $0.selectAll(layout.count) } }
        case GDK_KEY_Escape:
            if cells.items.isEmpty { return false }
            changeSelection { $0.clear() }
        default: return press.modifiers.contains(.control) ? false : type(press)
        }
        return true
    }

    /// The cell to which a key moves; nil for a key that does not move.
    private func target(of key: guint) -> Int? {
        // Start from the visible cells if the cursor is nowhere.
        let start = min(cells.cursor ?? slots.window.visible.lowerBound, layout.count - 1)
        let isFirst = cells.cursor == nil
        let page = max(1, canvas.height * 9 / 10)
        let isMirrored = gtk_widget_get_direction(canvas.inner) == GTK_TEXT_DIR_RTL
        let (left, right) = (start - 1, start + 1)
        switch Int32(key) {
        case GDK_KEY_Left, GDK_KEY_KP_Left: return isFirst ? start : clamped(isMirrored ? right : left)
        case GDK_KEY_Right, GDK_KEY_KP_Right: return isFirst ? start : clamped(isMirrored ? left : right)
        case GDK_KEY_Up, GDK_KEY_KP_Up: return isFirst ? start : layout.above(start)
        case GDK_KEY_Down, GDK_KEY_KP_Down: return isFirst ? start : layout.below(start)
        case GDK_KEY_Home, GDK_KEY_KP_Home: return 0
        case GDK_KEY_End, GDK_KEY_KP_End: return layout.count - 1
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: return layout.item(from: start, by: -page)
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: return layout.item(from: start, by: page)
        default: return nil
        }
    }

    private func clamped(_ item: Int) -> Int { min(max(item, 0), layout.count - 1) }

    /// Moves the cursor as GTK does: Shift extends the selection, Ctrl leaves it as it is.
    private func move(to cell: Int, _ modifiers: KeyModifiers) {
        changeSelection {
            if modifiers.contains(.shift) {
                $0.extend(to: cell, adds: modifiers.contains(.control))
            } else if modifiers.contains(.control) {
                $0.move(to: cell)
            } else {
                $0.select(cell)
            }
        }
        scroll(to: cell)
    }

    // MARK: First letters

    private func type(_ press: KeyPress) -> Bool {
        guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(press.key)), scalar.value >= 32, scalar.value != 127
        else { return false }
        typed.type(Character(scalar), at: press.time)
        if let cell = typed.find(from: cells.cursor, count: layout.count, name: { gridSource.label(at: $0) }) {
            move(to: cell, [])
        }
        return true
    }

    // MARK: Zoom

    private func zoomKeyPressed(_ key: guint) -> Bool {
        guard options.zoomsByUser else { return false }
        switch Int32(key) {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: step(by: 1)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: step(by: -1)
        case GDK_KEY_0, GDK_KEY_KP_0: zoom = 1
        default: return false
        }
        return true
    }

    /// Zooms to the next step up or down.
    private func step(by steps: Int) {
        for _ in 0..<min(abs(steps), Self.zooms.count) {
            let next = steps > 0 ? Self.zooms.first { $0 > zoom } : Self.zooms.last { $0 < zoom }
            if let next { zoom = next }
        }
    }

    func wheelTurned(_ steps: Double, x: Double, y: Double) -> Bool {
        guard options.zoomsByUser, steps.isFinite else { return false }
        // A touchpad's steps are fractions.
        wheelRest = max(-9, min(9, wheelRest + steps))
        let whole = wheelRest.rounded(.towardZero)
        wheelRest -= whole
        step(by: Int(whole))
        return true
    }
}
