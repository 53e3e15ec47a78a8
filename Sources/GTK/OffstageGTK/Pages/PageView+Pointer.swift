import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// The pointer: turning by clicks, selection, panning, links and the wheel.
extension PageView {
    func pointerMoved(x: Double, y: Double) {
        defer { input.last = (x, y) }
        switch input.drag {
        case .none: setCursor(atX: x, y: y)
        case .pressed:
            let distance = max(abs(x - input.start.x), abs(y - input.start.y))
            if distance > PageInput.slack { beginDrag(x, y) }
        case .selecting:
            guard var selection, let end = textEnd(atX: x, y: y) else { return }
            selection.end = end
            setSelection(selection)
        case .panning: pan(byX: input.last.x - x, y: input.last.y - y)
        }
    }

    private func setCursor(atX x: Double, y: Double) {
        if pen != nil { return canvas.setCursor("crosshair") }
        if link(atX: x, y: y) != nil { return canvas.setCursor("pointer") }
        canvas.setCursor(isOnText(x, y) ? "text" : nil)
    }

    /// On a word, starts a selection; elsewhere, moves an enlarged page.
    private func beginDrag(_ x: Double, _ y: Double) {
        let start = input.start
        let isEnlarged = layout.mostPan.x > 0 || layout.mostPan.y > 0
        if isOnText(start.x, start.y) || !isEnlarged, let anchor = textEnd(atX: start.x, y: start.y),
            let end = textEnd(atX: x, y: y)
        {
            input.drag = .selecting
            return setSelection(PageSelection(anchor: anchor, end: end))
        }
        input.drag = .panning
        canvas.setCursor("grabbing")
        pan(byX: start.x - x, y: start.y - y)
    }

    func pointerLeft() {}

    func pressed(_ press: PointerPress) -> Bool {
        gtk_widget_grab_focus(canvas.inner)
        input.start = (press.x, press.y)
        input.last = input.start
        // The press is outside all pages, or where no ink is shown; the canvas handles all other presses.
        if pen != nil, press.button == 1 { return true }
        switch (press.button, press.clicks) {
        case (1, 1): input.drag = .pressed(link: link(atX: press.x, y: press.y))
        case (1, 2):
            // Quick clicks outside of words turn pages.
            if selectWord(atX: press.x, y: press.y) { input.drag = .none }
        case (2, _): input.drag = .panning
        // The back and forward buttons of a mouse.
        case (8, 1): turnBack()
        case (9, 1): turnForward()
        default: return false
        }
        return true
    }

    func released(button: Int, x: Double, y: Double) -> Bool {
        let drag = input.drag
        input.drag = .none
        setCursor(atX: x, y: y)
        guard case .pressed(let pressed) = drag, button == 1 else { return drag != .none }
        // A click needs both events on the same link.
        let target = link(atX: x, y: y)
        if pressed != nil || target != nil {
            if let target, target == pressed { follow(target) }
            return true
        }
        if selection != nil {
            setSelection(nil)
            return true
        }
        guard options.turnsByClick else { return true }
        if x < layout.window.width / 3 { turnBack() }
        if x >= layout.window.width * 2 / 3 { turnForward() }
        return true
    }

    /// - Parameter steps: with Ctrl held, positive upwards.
    func wheelTurned(_ steps: Double, x: Double, y: Double) -> Bool {
        guard steps.isFinite else { return false }
        // A touchpad's steps are fractions.
        input.zoomRest = max(-9, min(9, input.zoomRest + steps))
        let whole = input.zoomRest.rounded(.towardZero)
        input.zoomRest -= whole
        stepZoom(by: Int(whole), atX: x, y: y)
        return true
    }

    func wheelTurned(_ wheel: WheelTurn) -> Bool {
        guard wheel.across.isFinite, wheel.down.isFinite else { return false }
        if wheel.time &- input.lastWheel > PageInput.swipePause || wheel.isStop {
            (input.swipe, input.hasSwiped, input.wheelRest) = (0, false, 0)
        }
        input.lastWheel = wheel.time
        if wheel.isStop { return true }
        let step = max(40, layout.window.height / 10)
        if wheel.across != 0, layout.mostPan.x > 0 { pan(byX: wheel.across * step, y: 0) }
        if wheel.isSmooth, layout.mostPan.x == 0, abs(wheel.across) > abs(wheel.down) { return swipe(wheel.across) }
        if wheel.down == 0 {
            if !wheel.isSmooth, layout.mostPan.x == 0 { turn(by: wheel.across > 0 ? 1 : wheel.across < 0 ? -1 : 0) }
            return true
        }
        if layout.mostPan.y > 0, pan(byX: 0, y: wheel.down * step) { return true }
        // At the edge of a page, a whole step of the wheel turns the page.
        if input.wheelRest * wheel.down < 0 { input.wheelRest = 0 }
        input.wheelRest += wheel.down
        if abs(input.wheelRest) >= 1 {
            turn(by: input.wheelRest > 0 ? 1 : -1)
            input.wheelRest = 0
        }
        return true
    }

    /// Turns one page for each movement of two fingers, however long the movement is.
    private func swipe(_ distance: Double) -> Bool {
        input.swipe += distance
        if !input.hasSwiped, abs(input.swipe) >= PageInput.swipeLength {
            input.hasSwiped = true
            turn(by: input.swipe > 0 ? 1 : -1)
        }
        return true
    }

    private func turn(by direction: Int) {
        if direction > 0 { turnForward() }
        if direction < 0 { turnBack() }
    }

    func tooltip(x: Double, y: Double) -> String? {
        guard let target = link(atX: x, y: y) else { return nil }
        guard let place = PageTarget(target) else { return target }
        return requests.book(position.document).map { "Page \($0.label(ofPage: place.page))" }
    }
}
