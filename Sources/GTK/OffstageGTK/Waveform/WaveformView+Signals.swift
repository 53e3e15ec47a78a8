import CGTK
import OffstageGLib

/// Forwards GTK's signals to the view.
extension WaveformView {
    func connect() {
        typealias Widget = UnsafeMutableRawPointer
        let draw: @convention(c) (Widget, OpaquePointer, gpointer) -> gboolean = { _, context, data in
            onMainActor((context, data)) { receiver($1, as: WaveformView.self)?.draw($0) }
            return 0
        }
        handlers.connect("draw", of: widget, unsafeBitCast(draw, to: GCallback.self), to: self)
        let changed: @convention(c) (Widget, Widget, gpointer) -> Void = { _, _, data in
            onMainActor(data) { receiver($0, as: WaveformView.self)?.sizeChanged() }
        }
        handlers.connect(
            "size-allocate", of: widget, unsafeBitCast(changed, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        handlers.connect("notify::scale-factor", of: widget, unsafeBitCast(changed, to: GCallback.self), to: self)
        let mapped: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: WaveformView.self)?.visibilityChanged(isMapped: true) }
        }
        handlers.connect("map", of: widget, unsafeBitCast(mapped, to: GCallback.self), to: self)
        let unmapped: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: WaveformView.self)?.visibilityChanged(isMapped: false) }
        }
        handlers.connect("unmap", of: widget, unsafeBitCast(unmapped, to: GCallback.self), to: self)
        let seen: @convention(c) (Widget, UnsafeMutablePointer<GdkEventVisibility>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                receiver(data, as: WaveformView.self)?.visibilityChanged(
                    isCovered: event.pointee.state == GDK_VISIBILITY_FULLY_OBSCURED)
            }
            return 0
        }
        handlers.connect("visibility-notify-event", of: widget, unsafeBitCast(seen, to: GCallback.self), to: self)
        let destroyed: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: WaveformView.self)?.noteDestroyed() }
        }
        handlers.connect("destroy", of: widget, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        connectPointer()
        connectKeyboard()
    }

    private func connectPointer() {
        typealias Widget = UnsafeMutableRawPointer
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let view = receiver(data, as: WaveformView.self)
                return view?.pressed(button: Int(event.pointee.button), x: event.pointee.x) == true ? 1 : 0
            }
        }
        handlers.connect("button-press-event", of: widget, unsafeBitCast(pressed, to: GCallback.self), to: self)
        let released: @convention(c) (Widget, UnsafeMutablePointer<GdkEventButton>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let view = receiver(data, as: WaveformView.self)
                return view?.released(button: Int(event.pointee.button)) == true ? 1 : 0
            }
        }
        handlers.connect("button-release-event", of: widget, unsafeBitCast(released, to: GCallback.self), to: self)
        let moved: @convention(c) (Widget, UnsafeMutablePointer<GdkEventMotion>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in receiver(data, as: WaveformView.self)?.moved(x: event.pointee.x) }
            return 0
        }
        handlers.connect("motion-notify-event", of: widget, unsafeBitCast(moved, to: GCallback.self), to: self)
        let turned: @convention(c) (Widget, UnsafeMutablePointer<GdkEventScroll>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                let steps: Double =
                    switch event.pointee.direction {
                    case GDK_SCROLL_UP: 1
                    case GDK_SCROLL_DOWN: -1
                    case GDK_SCROLL_SMOOTH: -event.pointee.delta_y
                    default: 0
                    }
                receiver(data, as: WaveformView.self)?.zoom(steps: steps, atX: event.pointee.x)
            }
            return 1
        }
        handlers.connect("scroll-event", of: widget, unsafeBitCast(turned, to: GCallback.self), to: self)
        let asked: @convention(c) (Widget, gint, gint, gboolean, OpaquePointer, gpointer) -> gboolean = {
            _, x, _, _, tooltip, data in
            onMainActor((tooltip, data)) { tooltip, data in
                guard let text = receiver(data, as: WaveformView.self)?.tooltip(x: Double(x)) else { return 0 }
                gtk_tooltip_set_text(tooltip, text)
                return 1
            }
        }
        handlers.connect("query-tooltip", of: widget, unsafeBitCast(asked, to: GCallback.self), to: self)
    }

    private func connectKeyboard() {
        typealias Widget = UnsafeMutableRawPointer
        let pressed: @convention(c) (Widget, UnsafeMutablePointer<GdkEventKey>, gpointer) -> gboolean = {
            onMainActor(($1, $2)) { event, data in
                // Ignore keys with Alt: they belong to the host.
                if event.pointee.state & GDK_MOD1_MASK.rawValue != 0 { return 0 }
                let view = receiver(data, as: WaveformView.self)
                return view?.keyPressed(event.pointee.keyval, KeyModifiers(event.pointee.state)) == true ? 1 : 0
            }
        }
        handlers.connect("key-press-event", of: widget, unsafeBitCast(pressed, to: GCallback.self), to: self)
    }
}
