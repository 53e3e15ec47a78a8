import CGTK
import COffstageGTK
import OffstageGLib

/// Receives the events of a canvas. Positions are in GTK px from the top left corner of the window.
@MainActor
protocol CanvasOwner: AnyObject {
    func update()
    func draw(_ context: OpaquePointer)
    func sizeChanged()
    func scaleChanged()
    func styleChanged()
    func valueChanged()
    func adjustmentReplaced()
    func focusChanged()
    func pointerMoved(x: Double, y: Double)
    func pointerLeft()
    func pressed(_ press: PointerPress) -> Bool
    func released(button: Int, x: Double, y: Double) -> Bool
    func keyPressed(_ press: KeyPress) -> Bool
    /// The wheel was turned with Ctrl held: steps, positive upwards.
    func wheelTurned(_ steps: Double, x: Double, y: Double) -> Bool
    /// The wheel was turned, or fingers moved on a touchpad, without Ctrl. The default leaves it to the scrolled window.
    func wheelTurned(_ wheel: WheelTurn) -> Bool
    func tooltip(x: Double, y: Double) -> String?
    /// The URIs of the dragged files.
    func draggedURIs() -> [String]
    func destroyed()
}

extension CanvasOwner {
    func wheelTurned(_ steps: Double, x: Double, y: Double) -> Bool { false }
    func wheelTurned(_ wheel: WheelTurn) -> Bool { false }
    func draggedURIs() -> [String] { [] }
}

/// A scrolled window with the widget on which a list is painted. It exists until it is released or GTK destroys it;
/// after that, it makes no callbacks.
@MainActor
final class Canvas {
    /// The scrolled window.
    let outer: UnsafeMutablePointer<GtkWidget>
    /// The widget on which the list is painted.
    let inner: UnsafeMutablePointer<GtkWidget>
    /// The vertical adjustment. The host may replace it.
    private(set) var adjustment: UnsafeMutablePointer<GtkAdjustment>
    private(set) var isThere = true
    private var isUpdateQueued = false
    weak var owner: (any CanvasOwner)?
    let handlers = SignalHandlers()
    let adjustmentHandlers = SignalHandlers()

    init() {
        outer = g_object_ref_sink(gtk_scrolled_window_new(nil, nil)).assumingMemoryBound(to: GtkWidget.self)
        inner = g_object_ref_sink(offstage_canvas_new()).assumingMemoryBound(to: GtkWidget.self)
        gtk_scrolled_window_set_policy(cast(outer), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_can_focus(outer, 0)
        gtk_container_add(cast(outer), inner)
        gtk_widget_show(inner)
        adjustment = gtk_scrolled_window_get_vadjustment(cast(outer))
        g_object_ref(adjustment)
        setProperty("has-tooltip", of: inner, to: true)
        connect()
        connectAdjustment()
    }

    isolated deinit {
        handlers.disconnect()
        adjustmentHandlers.disconnect()
        if isThere { gtk_widget_destroy(outer) }
        g_object_unref(adjustment)
        g_object_unref(inner)
        g_object_unref(outer)
    }

    var width: Int { Int(gtk_widget_get_allocated_width(inner)) }
    var height: Int { Int(gtk_widget_get_allocated_height(inner)) }
    var scale: Int { Int(gtk_widget_get_scale_factor(inner)) }

    func queueDraw() { if isThere { gtk_widget_queue_draw(inner) } }

    /// Asks the owner to update its rows before the next frame. Repeated calls before that frame have no further
    /// effect.
    func queueUpdate() {
        if !isThere || isUpdateQueued { return }
        isUpdateQueued = true
        // GTK removes the callback with the widget.
        addTick(to: inner, for: self) { _, _, data in
            onMainActor(data!) { data in
                guard let canvas = receiver(data, as: Canvas.self) else { return }
                canvas.isUpdateQueued = false
                canvas.owner?.update()
            }
            return 0  // G_SOURCE_REMOVE
        }
    }

    func setCursor(_ name: String?) {
        guard let window = gtk_widget_get_window(inner) else { return }
        let cursor = name.flatMap { gdk_cursor_new_from_name(gtk_widget_get_display(inner), $0) }
        gdk_window_set_cursor(window, cursor)
        if let cursor { g_object_unref(gpointer(cursor)) }
    }

    func takeAdjustment() {
        // A scrolled window that is being destroyed replaces its adjustment once more.
        guard gtk_widget_in_destruction(outer) == 0,
            let new = gtk_scrollable_get_vadjustment(OpaquePointer(inner)), new != adjustment
        else { return }
        adjustmentHandlers.disconnect()
        g_object_ref(new)
        g_object_unref(adjustment)
        adjustment = new
        connectAdjustment()
        owner?.adjustmentReplaced()
    }

    func noteDestroyed() {
        if !isThere { return }
        isThere = false
        // The calls below must not reach a half-destroyed widget.
        handlers.disconnect()
        adjustmentHandlers.disconnect()
        owner?.destroyed()
    }
}
