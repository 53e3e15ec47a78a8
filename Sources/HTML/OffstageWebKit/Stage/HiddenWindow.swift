import COffstageWebKit
import CWebKitGTK
import Offstage
import OffstageGLib

/// A window that is never mapped, on its own connection to the private display.
///
/// It is not mapped, because a mapped view paints twice, and not always the same pixels. It is a popup, because GTK can
/// change the scale at run time only for popups.
@MainActor
final class HiddenWindow {
    private let display: VirtualDisplay
    private let connection: OpaquePointer
    private let window: UnsafeMutablePointer<GtkWidget>
    private let view: UnsafeMutablePointer<GtkWidget>
    private var size: GtkAllocation?
    private var scale: Int32 = 1
    private var isClosed = false

    /// Puts a view into a new window, which retains the view until `close`.
    init(on display: VirtualDisplay, around view: UnsafeMutablePointer<GtkWidget>) throws(EngineUnavailable) {
        self.display = display
        connection = try display.takeConnection()
        self.view = view
        window = gtk_window_new(GTK_WINDOW_POPUP)
        gtk_window_set_screen(cast(window), gdk_display_get_default_screen(connection))
        gtk_container_add(cast(window), view)
        offstage_web_view_forget_keys(cast(view))
        gtk_widget_show(view)
        gtk_widget_realize(window)
        gtk_widget_realize(view)
    }

    isolated deinit { close() }

    /// - Parameters:
    ///   - width, height: the size of the viewport, CSS px.
    ///   - scale: device px per CSS px, a whole number.
    func setViewport(width: Int, height: Int, scale: Int) {
        // By now, another window may use the connection.
        if isClosed { return }
        if self.scale != Int32(scale) {
            self.scale = Int32(scale)
            gdk_x11_display_set_window_scale(connection, Int32(scale))
        }
        if let size, size.width == width, size.height == height { return }
        var allocation = GtkAllocation(x: 0, y: 0, width: Int32(width), height: Int32(height))
        gtk_widget_size_allocate(view, &allocation)
        size = allocation
    }

    /// Destroys the window and the view in it, and returns the connection. A second call does nothing.
    func close() {
        if isClosed { return }
        isClosed = true
        gtk_widget_destroy(window)
        if scale != 1 { gdk_x11_display_set_window_scale(connection, 1) }
        display.giveBack(connection)
    }
}
