import COffstageGTK
import CWebKitGTK
import OffstageWebKit

/// What a canvas tells its owner. Places are px from the window's top left corner.
@MainActor
protocol CanvasOwner: AnyObject {
    func update()
    func draw(_ context: OpaquePointer)
    func sizeChanged()
    func scaleChanged()
    func styleChanged()
    func valueChanged()
    func focusChanged()
    func pointerMoved(x: Double, y: Double)
    func pointerLeft()
    func pressed(button: Int, clicks: Int, x: Double, y: Double) -> Bool
    func released(button: Int, x: Double, y: Double) -> Bool
    func keyPressed(_ key: guint) -> Bool
    func tooltip(x: Double, y: Double) -> String?
    func partActivated(row: Int, link: Int)
    func destroyed()
}

/// A scrolled window and in it the widget that a list is painted on. It exists until it is let go or GTK destroys it;
/// after that nothing is called.
@MainActor
final class Canvas {
    /// The scrolled window.
    let outer: UnsafeMutablePointer<GtkWidget>
    /// What is painted on.
    let inner: UnsafeMutablePointer<GtkWidget>
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private(set) var isThere = true
    private var isUpdateQueued = false
    weak var owner: (any CanvasOwner)?
    private let connections = SignalConnections()

    init() {
        outer = g_object_ref_sink(gtk_scrolled_window_new(nil, nil)).assumingMemoryBound(to: GtkWidget.self)
        inner = g_object_ref_sink(offstage_canvas_new()).assumingMemoryBound(to: GtkWidget.self)
        gtk_scrolled_window_set_policy(cast(outer), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_container_add(cast(outer), inner)
        gtk_widget_show(inner)
        adjustment = gtk_scrolled_window_get_vadjustment(cast(outer))
        g_object_ref(adjustment)
        setProperty("has-tooltip", of: inner, to: true)
        connect()
    }

    isolated deinit {
        connections.disconnect()
        if isThere { gtk_widget_destroy(outer) }
        g_object_unref(adjustment)
        g_object_unref(inner)
        g_object_unref(outer)
    }

    var width: Int { Int(gtk_widget_get_allocated_width(inner)) }
    var height: Int { Int(gtk_widget_get_allocated_height(inner)) }
    var scale: Int { Int(gtk_widget_get_scale_factor(inner)) }

    func queueDraw() { if isThere { gtk_widget_queue_draw(inner) } }

    /// Has the owner look at its rows before the next frame is painted; once, however often it is asked.
    func queueUpdate() {
        if !isThere || isUpdateQueued { return }
        isUpdateQueued = true
        // It goes with the widget.
        gtk_widget_add_tick_callback(
            inner,
            { _, _, data in
                onMainActor(data!) { data in
                    let canvas = object(data, as: Canvas.self)
                    canvas.isUpdateQueued = false
                    canvas.owner?.update()
                }
                return 0  // G_SOURCE_REMOVE
            }, unretained(self), nil)
    }

    func setCursor(_ name: String?) {
        guard let window = gtk_widget_get_window(inner) else { return }
        let cursor = name.flatMap { gdk_cursor_new_from_name(gtk_widget_get_display(inner), $0) }
        gdk_window_set_cursor(window, cursor)
        if let cursor { g_object_unref(gpointer(cursor)) }
    }

    private func connect() {
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
        let moved: @convention(c) (Widget, gpointer) -> Void = { _, data in
            onMainActor(data) { object($0, as: Canvas.self).owner?.valueChanged() }
        }
        connections.connect("value-changed", of: adjustment, unsafeBitCast(moved, to: GCallback.self), self)
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

    private func noteDestroyed() {
        if !isThere { return }
        isThere = false
        // What is called below must not find half a widget.
        connections.disconnect()
        owner?.destroyed()
    }
}
