import CGTK
import Offstage
import OffstagePages

/// The keyboard, and pedals, which send its keys.
extension PageView {
    func keyPressed(_ press: KeyPress) -> Bool {
        if press.modifiers.contains(.control) { return controlPressed(press) }
        switch Int32(press.key) {
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: pageDown()
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: pageUp()
        case GDK_KEY_space, GDK_KEY_KP_Space: if press.modifiers.contains(.shift) { pageUp() } else { pageDown() }
        case GDK_KEY_BackSpace: pageUp()
        case GDK_KEY_Return, GDK_KEY_KP_Enter: turnForward()
        case GDK_KEY_Right, GDK_KEY_KP_Right: if !pan(byX: step, y: 0) { turnForward() }
        case GDK_KEY_Left, GDK_KEY_KP_Left: if !pan(byX: -step, y: 0) { turnBack() }
        case GDK_KEY_Down, GDK_KEY_KP_Down: if !pan(byX: 0, y: step) { turnForward() }
        case GDK_KEY_Up, GDK_KEY_KP_Up: if !pan(byX: 0, y: -step) { turnBack() }
        case GDK_KEY_Home, GDK_KEY_KP_Home: show(page: 1)
        case GDK_KEY_End, GDK_KEY_KP_End: show(page: requests.book(position.document)?.pages.count ?? 1)
        case GDK_KEY_plus, GDK_KEY_KP_Add: stepZoom(by: 1)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: stepZoom(by: -1)
        case GDK_KEY_F11: isFullScreen.toggle()
        case GDK_KEY_F3: findNext(backward: press.modifiers.contains(.shift))
        case GDK_KEY_Escape:
            if selection != nil {
                setSelection(nil)
            } else if isFullScreen {
                isFullScreen = false
            } else {
                return false
            }
        default: return false
        }
        return true
    }

    private func controlPressed(_ press: KeyPress) -> Bool {
        switch Int32(press.key) {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: stepZoom(by: 1)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: stepZoom(by: -1)
        case GDK_KEY_0, GDK_KEY_KP_0: zoom = 1
        case GDK_KEY_a, GDK_KEY_A: selectAll()
        case GDK_KEY_c, GDK_KEY_C:
            if selectedText.isEmpty { return false }
            copySelection()
        case GDK_KEY_g, GDK_KEY_G: findNext(backward: press.modifiers.contains(.shift))
        default: return false
        }
        return true
    }

    private var step: Double { max(40, layout.window.height / 10) }

    /// Down by a screen; from the end of the page, to the next one.
    private func pageDown() { if !pan(byX: 0, y: layout.window.height * 0.9) { turnForward() } }

    private func pageUp() { if !pan(byX: 0, y: -layout.window.height * 0.9) { turnBack() } }
}
