import CWebKitGTK
import OffstageWebKit

/// The layout of a row's plain text, which is shown until the picture is ready.
@MainActor
final class RowText {
    private let layout: OpaquePointer
    private let width: Int

    /// - Parameters:
    ///   - width, height: the available space, GTK px; text that does not fit ends with an ellipsis.
    init(_ text: String, on widget: UnsafeMutablePointer<GtkWidget>, width: Int, height: Int) {
        self.width = width
        // Pango would lay out a long text completely, although only a few lines are visible.
        layout = gtk_widget_create_pango_layout(widget, String(text.prefix(2_000)))
        pango_layout_set_width(layout, Int32(width) * PANGO_SCALE)
        pango_layout_set_height(layout, Int32(height) * PANGO_SCALE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }

    isolated deinit { g_object_unref(gpointer(layout)) }

    func fits(width: Int) -> Bool { self.width == width }

    func paint(_ context: OpaquePointer, x: Double, y: Double) {
        cairo_move_to(context, x, y)
        pango_cairo_show_layout(context, layout)
    }
}
