import CGTK

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

    /// A centred label of one line, shortened in the middle if it does not fit.
    init(label text: String, on widget: UnsafeMutablePointer<GtkWidget>, width: Int) {
        self.width = width
        layout = gtk_widget_create_pango_layout(widget, String(text.prefix(300)))
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_width(layout, Int32(width) * PANGO_SCALE)
        pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE)
    }

    /// A bold heading of one line.
    init(heading text: String, on widget: UnsafeMutablePointer<GtkWidget>, width: Int) {
        self.width = width
        layout = gtk_widget_create_pango_layout(widget, String(text.prefix(300)))
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_weight_new(PANGO_WEIGHT_BOLD))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_width(layout, Int32(width) * PANGO_SCALE)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }

    /// The height of a line of text on a widget, GTK px.
    static func lineHeight(on widget: UnsafeMutablePointer<GtkWidget>) -> Int {
        let layout = gtk_widget_create_pango_layout(widget, "Ágj")
        defer { g_object_unref(gpointer(layout)) }
        var height: Int32 = 0
        pango_layout_get_pixel_size(layout, nil, &height)
        return max(1, Int(height))
    }

    isolated deinit { g_object_unref(gpointer(layout)) }

    func fits(width: Int) -> Bool { self.width == width }

    func paint(_ context: OpaquePointer, x: Double, y: Double) {
        cairo_move_to(context, x, y)
        pango_cairo_show_layout(context, layout)
    }
}
