import CGTK
import OffstageGLib

/// Forwards GTK's signals to the canvas's owner.
extension Canvas {
    func connect() {
        typealias Widget = UnsafeMutableRawPointer
        let draw: @convention(c) (Widget, OpaquePointer, gpointer) -> gboolean = { _, context, data in
            onMainActor((context, data)) { receiver($1, as: Canvas.self)?.owner?.draw($0) }
            return 0
        }
        handlers.connect("draw", of: inner, unsafeBitCast(draw, to: GCallback.self), to: self)
        let allocated: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.owner?.sizeChanged() }
        }
        handlers.connect(
            "size-allocate", of: inner, unsafeBitCast(allocated, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        let scaled: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.owner?.scaleChanged() }
        }
        handlers.connect("notify::scale-factor", of: inner, unsafeBitCast(scaled, to: GCallback.self), to: self)
        let styled: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.owner?.styleChanged() }
        }
        handlers.connect("style-updated", of: inner, unsafeBitCast(styled, to: GCallback.self), to: self)
        let replaced: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.takeAdjustment() }
        }
        handlers.connect("notify::vadjustment", of: inner, unsafeBitCast(replaced, to: GCallback.self), to: self)
        let destroyed: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.noteDestroyed() }
        }
        handlers.connect("destroy", of: inner, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        connectPointer()
        connectKeyboard()
        connectDrag()
    }

    func connectAdjustment() {
        let moved: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Canvas.self)?.owner?.valueChanged() }
        }
        adjustmentHandlers.connect("value-changed", of: adjustment, unsafeBitCast(moved, to: GCallback.self), to: self)
    }

    private func connectPointer() {
        typealias Widget = UnsafeMutableRawPointer
        let moved: @convention(c) (Widget, UnsafeMutablePointer<GdkEventMotion>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                receiver(data, as: Canvas.self)?.owner?.pointerMoved(x: event.pointee.x, y: event.pointee.y)
            }
            return 0
        }
        handlers.connect("motion-notify-event", of: inner, unsafeBitCast(moved, to: GCallback.self), to: self)
        let left: @convention(c) (Widget, Widget, gpointer) -> gboolean = {
            onMainActor($2) { receiver($0, as: Canvas.self)?.owner?.pointerLeft() }
            return 0
        }
        handlers.connect("leave-notify-event", of: inner, unsafeBitCast(left, to: GCallback.self), to: self)
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let clicks =
                    switch event.pointee.type {
                    case GDK_2BUTTON_PRESS: 2
                    case GDK_3BUTTON_PRESS: 3
                    default: 1
                    }
                let isTaken = receiver(data, as: Canvas.self)?.owner?.pressed(
                    PointerPress(
                        button: Int(event.pointee.button), clicks: clicks, x: event.pointee.x, y: event.pointee.y,
                        modifiers: KeyModifiers(event.pointee.state)))
                return isTaken == true ? 1 : 0
            }
        }
        handlers.connect("button-press-event", of: inner, unsafeBitCast(pressed, to: GCallback.self), to: self)
        let released: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let isTaken = receiver(data, as: Canvas.self)?.owner?.released(
                    button: Int(event.pointee.button), x: event.pointee.x, y: event.pointee.y)
                return isTaken == true ? 1 : 0
            }
        }
        handlers.connect("button-release-event", of: inner, unsafeBitCast(released, to: GCallback.self), to: self)
        let asked: @convention(c) (Widget, gint, gint, gboolean, OpaquePointer, gpointer) -> gboolean = {
            _, x, y, _, tooltip, data in
            onMainActor((tooltip, data)) { tooltip, data in
                let owner = receiver(data, as: Canvas.self)?.owner
                guard let text = owner?.tooltip(x: Double(x), y: Double(y)) else { return 0 }
                gtk_tooltip_set_text(tooltip, text)
                return 1
            }
        }
        handlers.connect("query-tooltip", of: inner, unsafeBitCast(asked, to: GCallback.self), to: self)
        connectWheel()
    }

    /// Without Ctrl, the wheel belongs to the scrolled window, unless the owner takes it.
    private func connectWheel() {
        typealias Widget = UnsafeMutableRawPointer
        let turned: @convention(c) (Widget, UnsafeMutablePointer<GdkEventScroll>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                guard KeyModifiers(event.pointee.state).contains(.control) else {
                    return receiver(data, as: Canvas.self)?.owner?.wheelTurned(WheelTurn(event)) == true ? 1 : 0
                }
                let steps: Double =
                    switch event.pointee.direction {
                    case GDK_SCROLL_UP: 1
                    case GDK_SCROLL_DOWN: -1
                    case GDK_SCROLL_SMOOTH: -event.pointee.delta_y
                    default: 0
                    }
                let isTaken = receiver(data, as: Canvas.self)?.owner?.wheelTurned(
                    steps, x: event.pointee.x, y: event.pointee.y)
                return isTaken == true ? 1 : 0
            }
        }
        handlers.connect("scroll-event", of: inner, unsafeBitCast(turned, to: GCallback.self), to: self)
    }

    private func connectKeyboard() {
        typealias Widget = UnsafeMutableRawPointer
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventKey>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                // Ignore keys with Alt: they belong to the host.
                if event.pointee.state & GDK_MOD1_MASK.rawValue != 0 { return 0 }
                let press = KeyPress(
                    key: event.pointee.keyval, modifiers: KeyModifiers(event.pointee.state), time: event.pointee.time)
                return receiver(data, as: Canvas.self)?.owner?.keyPressed(press) == true ? 1 : 0
            }
        }
        handlers.connect("key-press-event", of: inner, unsafeBitCast(pressed, to: GCallback.self), to: self)
        let focused: @convention(c) (Widget, Widget, gpointer) -> gboolean = {
            onMainActor($2) { receiver($0, as: Canvas.self)?.owner?.focusChanged() }
            return 0
        }
        for signal in ["focus-in-event", "focus-out-event"] {
            handlers.connect(signal, of: inner, unsafeBitCast(focused, to: GCallback.self), to: self)
        }
        // The host knows only the scrolled window, which would take the focus itself, so that no key would reach the
        // rows.
        let grabbed: @convention(c) (Widget, gpointer) -> Void = { sender, data in
            onMainActor((sender, data)) { sender, data in
                guard let canvas = receiver(data, as: Canvas.self) else { return }
                g_signal_stop_emission_by_name(sender, "grab-focus")
                gtk_widget_grab_focus(canvas.inner)
            }
        }
        handlers.connect("grab-focus", of: outer, unsafeBitCast(grabbed, to: GCallback.self), to: self)
    }
}
