import CGTK
import OffstageGLib

/// Calls an object before each frame of a widget, until the callback returns 0 or the widget is destroyed.
@MainActor
package func addTick(
    to widget: UnsafeMutablePointer<GtkWidget>, for object: AnyObject, _ callback: @escaping GtkTickCallback
) {
    gtk_widget_add_tick_callback(widget, callback, CallbackTarget.data(for: object), CallbackTarget.release)
}
