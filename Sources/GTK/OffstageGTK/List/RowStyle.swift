import CGTK

/// The theme's style for rows of a `GtkListBox`.
@MainActor
final class RowStyle {
    private let list: UnsafeMutablePointer<GtkStyleContext>
    private let row: UnsafeMutablePointer<GtkStyleContext>
    private var color = GdkRGBA()

    init(of widget: UnsafeMutablePointer<GtkWidget>) {
        list = gtk_widget_get_style_context(widget)
        let path = gtk_widget_path_copy(gtk_widget_get_path(widget))
        let position = gtk_widget_path_append_type(path, gtk_list_box_row_get_type())
        gtk_widget_path_iter_set_object_name(path, position, "row")
        gtk_widget_path_iter_add_class(path, position, "activatable")
        row = gtk_style_context_new()
        gtk_style_context_set_path(row, path)
        gtk_widget_path_unref(path)
        gtk_style_context_set_parent(row, list)
        gtk_style_context_set_screen(row, gtk_widget_get_screen(widget))
        gtk_style_context_get_color(list, gtk_style_context_get_state(list), &color)
    }

    isolated deinit { g_object_unref(row) }

    func paintList(_ context: OpaquePointer, width: Int, height: Int) {
        gtk_render_background(list, context, 0, 0, Double(width), Double(height))
    }

    /// Paints a row under the pointer or in the selection; other rows have the list's background.
    func paintRow(
        _ context: OpaquePointer, x: Double = 0, y: Double, width: Int, height: Int, isSelected: Bool, isHovered: Bool,
        isFocused: Bool,
        isBackdrop: Bool
    ) {
        var flags: UInt32 = 0
        if isSelected { flags |= GTK_STATE_FLAG_SELECTED.rawValue }
        if isHovered { flags |= GTK_STATE_FLAG_PRELIGHT.rawValue }
        if isFocused { flags |= GTK_STATE_FLAG_FOCUSED.rawValue }
        if isBackdrop { flags |= GTK_STATE_FLAG_BACKDROP.rawValue }
        gtk_style_context_set_state(row, GtkStateFlags(rawValue: flags))
        gtk_render_background(row, context, x, y, Double(width), Double(height))
        gtk_render_frame(row, context, x, y, Double(width), Double(height))
        if isFocused { gtk_render_focus(row, context, x, y, Double(width), Double(height)) }
    }

    /// Paints a placeholder for a picture that is not ready: a box in the given colour, or else a rounded box in a
    /// shade from the theme.
    func paintPlaceholder(
        _ context: OpaquePointer, x: Double, y: Double, width: Double, height: Double, _ tone: RowTones.Tone?
    ) {
        if let tone {
            cairo_set_source_rgb(context, tone.red, tone.green, tone.blue)
            cairo_rectangle(context, x, y, width, height)
            return cairo_fill(context)
        }
        let radius = min(6, height / 2, width / 2)
        cairo_new_sub_path(context)
        cairo_arc(context, x + width - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, x + width - radius, y + height - radius, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, y + height - radius, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, 3 * .pi / 2)
        cairo_close_path(context)
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha * 0.06)
        cairo_fill(context)
    }

    /// Sets the colour of the text of a row.
    func setLabelSource(_ context: OpaquePointer, isSelected: Bool, isBackdrop: Bool) {
        var flags: UInt32 = isSelected ? GTK_STATE_FLAG_SELECTED.rawValue : 0
        if isBackdrop { flags |= GTK_STATE_FLAG_BACKDROP.rawValue }
        gtk_style_context_set_state(row, GtkStateFlags(rawValue: flags))
        var color = GdkRGBA()
        gtk_style_context_get_color(row, GtkStateFlags(rawValue: flags), &color)
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    /// Paints the rectangle with which users select.
    func paintRubberBand(_ context: OpaquePointer, x: Double, y: Double, width: Double, height: Double) {
        gtk_style_context_save(list)
        gtk_style_context_add_class(list, "rubberband")
        gtk_render_background(list, context, x, y, width, height)
        gtk_render_frame(list, context, x, y, width, height)
        gtk_style_context_restore(list)
    }

    /// Sets the colour of a placeholder's text.
    func setTextSource(_ context: OpaquePointer, on tone: RowTones.Tone?) {
        guard let tone else {
            return cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha * 0.55)
        }
        let gray = tone.isLight ? 0.0 : 1.0
        cairo_set_source_rgba(context, gray, gray, gray, 0.6)
    }
}
