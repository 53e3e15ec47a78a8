import CWebKitGTK
import OffstageWebKit

/// From GTK's signals to the canvas's owner.
extension Canvas {
    func connect() {
        typealias Widget = UnsafeMutableRawPointer
        let draw: @convention(c) (Widget, OpaquePointer, gpointer) -> gboolean = { _, context, data in
            onMainActor((context, data)) { object($1, as: Canvas.self).owner?.draw($0) }
            return 0
        }
        connections.connect("draw", of: inner, unsafeBitCast(draw, to: GCallback.self), self)
        let allocated: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.sizeChanged() }
        }
        connections.connect("size-allocate", of: inner, unsafeBitCast(allocated, to: GCallback.self), self, after: true)
        let scaled: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.scaleChanged() }
        }
        connections.connect("notify::scale-factor", of: inner, unsafeBitCast(scaled, to: GCallback.self), self)
        let styled: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.styleChanged() }
        }
        connections.connect("style-updated", of: inner, unsafeBitCast(styled, to: GCallback.self), self)
        let replaced: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { object($0, as: Canvas.self).takeAdjustment() }
        }
        connections.connect("notify::vadjustment", of: inner, unsafeBitCast(replaced, to: GCallback.self), self)
        let destroyed: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { object($0, as: Canvas.self).noteDestroyed() }
        }
        connections.connect("destroy", of: inner, unsafeBitCast(destroyed, to: GCallback.self), self)
        let activated: @convention(c) (Widget, gint, gint, gpointer) -> Void = { _, row, link, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.partActivated(row: Int(row), link: Int(link)) }
        }
        connections.connect("part-activated", of: inner, unsafeBitCast(activated, to: GCallback.self), self)
        connectPointer()
        connectKeyboard()
    }

    func connectAdjustment() {
        let moved: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.valueChanged() }
        }
        adjustmentConnections.connect("value-changed", of: adjustment, unsafeBitCast(moved, to: GCallback.self), self)
    }

    private func connectPointer() {
        typealias Widget = UnsafeMutableRawPointer
        let moved: @convention(c) (Widget, UnsafeMutablePointer<GdkEventMotion>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                object(data, as: Canvas.self).owner?.pointerMoved(x: event.pointee.x, y: event.pointee.y)
            }
            return 0
        }
        connections.connect("motion-notify-event", of: inner, unsafeBitCast(moved, to: GCallback.self), self)
        let left: @convention(c) (Widget, Widget, gpointer) -> gboolean = {
            onMainActor($2) { object($0, as: Canvas.self).owner?.pointerLeft() }
            return 0
        }
        connections.connect("leave-notify-event", of: inner, unsafeBitCast(left, to: GCallback.self), self)
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let clicks =
                    switch event.pointee.type {
                    case GDK_2BUTTON_PRESS: 2
                    case GDK_3BUTTON_PRESS: 3
                    default: 1
                    }
                let isTaken = object(data, as: Canvas.self).owner?.pressed(
                    button: Int(event.pointee.button), clicks: clicks, x: event.pointee.x, y: event.pointee.y)
                return isTaken == true ? 1 : 0
            }
        }
        connections.connect("button-press-event", of: inner, unsafeBitCast(pressed, to: GCallback.self), self)
        let released: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let isTaken = object(data, as: Canvas.self).owner?.released(
                    button: Int(event.pointee.button), x: event.pointee.x, y: event.pointee.y)
                return isTaken == true ? 1 : 0
            }
        }
        connections.connect("button-release-event", of: inner, unsafeBitCast(released, to: GCallback.self), self)
        let asked: @convention(c) (Widget, gint, gint, gboolean, OpaquePointer, gpointer) -> gboolean = {
            _, x, y, _, tooltip, data in
            onMainActor((tooltip, data)) { tooltip, data in
                let owner = object(data, as: Canvas.self).owner
                guard let text = owner?.tooltip(x: Double(x), y: Double(y)) else { return 0 }
                gtk_tooltip_set_text(tooltip, text)
                return 1
            }
        }
        connections.connect("query-tooltip", of: inner, unsafeBitCast(asked, to: GCallback.self), self)
    }

    private func connectKeyboard() {
        typealias Widget = UnsafeMutableRawPointer
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventKey>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                // With Ctrl or Alt it is somebody else's.
                let others = GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue
                if event.pointee.state & others != 0 { return 0 }
                return object(data, as: Canvas.self).owner?.keyPressed(event.pointee.keyval) == true ? 1 : 0
            }
        }
        connections.connect("key-press-event", of: inner, unsafeBitCast(pressed, to: GCallback.self), self)
        let focused: @convention(c) (Widget, Widget, gpointer) -> gboolean = {
            onMainActor($2) { object($0, as: Canvas.self).owner?.focusChanged() }
            return 0
        }
        for signal in ["focus-in-event", "focus-out-event"] {
            connections.connect(signal, of: inner, unsafeBitCast(focused, to: GCallback.self), self)
        }
    }
}
