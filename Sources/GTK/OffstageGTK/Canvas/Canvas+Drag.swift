import CGTK
import OffstageGLib

/// Drags files to other programs.
extension Canvas {
    /// Starts to drag what `draggedURIs` returns, from within the handler of a pointer movement.
    ///
    /// - Parameters:
    ///   - x, y: the point at which the button went down.
    ///   - icon: a surface that follows the pointer, or nil for the theme's icon.
    func beginDrag(x: Double, y: Double, icon: OpaquePointer?) {
        guard isThere else { return }
        let targets = gtk_target_list_new(nil, 0)
        gtk_target_list_add_uri_targets(targets, 0)
        let event = gtk_get_current_event()
        let context = gtk_drag_begin_with_coordinates(
            inner, targets, GDK_ACTION_COPY, 1, event, Int32(x.rounded()), Int32(y.rounded()))
        if let event { gdk_event_free(event) }
        gtk_target_list_unref(targets)
        guard let context else { return }
        if let icon { gtk_drag_set_icon_surface(context, icon) } else { gtk_drag_set_icon_default(context) }
    }

    func connectDrag() {
        typealias Data =
            @convention(c) (
                UnsafeMutableRawPointer, OpaquePointer, OpaquePointer, guint, guint, gpointer
            ) -> Void
        let wanted: Data = { _, _, selection, _, _, data in
            onMainActor((selection, data)) { selection, data in
                let uris = receiver(data, as: Canvas.self)?.owner?.draggedURIs() ?? []
                var list: [UnsafeMutablePointer<CChar>?] = uris.map { g_strdup($0) } + [nil]
                gtk_selection_data_set_uris(selection, &list)
                for text in list { g_free(text) }
            }
        }
        handlers.connect("drag-data-get", of: inner, unsafeBitCast(wanted, to: GCallback.self), to: self)
    }
}
