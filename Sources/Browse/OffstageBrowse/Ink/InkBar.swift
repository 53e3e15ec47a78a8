import CGTK
import OffstageGTK
import OffstageWebKit

/// A bar above the page with a message, which is never cut off, and with choices.
@MainActor
final class InkBar {
    /// The bar and the widget below it.
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    private let bar = gtk_info_bar_new()!
    private let label = gtk_label_new(nil)!
    private let handlers = SignalHandlers()
    private var actions: [() -> Void] = []

    /// - Parameter below: the widget that gets the rest of the window.
    init(above below: UnsafeMutablePointer<GtkWidget>) {
        gtk_label_set_line_wrap(cast(label), 1)
        gtk_label_set_xalign(cast(label), 0)
        gtk_label_set_selectable(cast(label), 1)
        gtk_container_add(cast(gtk_info_bar_get_content_area(cast(bar))), label)
        gtk_info_bar_set_show_close_button(cast(bar), 1)
        gtk_widget_show_all(bar)
        gtk_widget_set_no_show_all(bar, 1)
        gtk_widget_hide(bar)
        gtk_box_pack_start(cast(widget), bar, 0, 0, 0)
        gtk_box_pack_start(cast(widget), below, 1, 1, 0)
        let answered: @convention(c) (UnsafeMutableRawPointer, gint, gpointer) -> Void = { _, answer, data in
            onMainActor((answer, data)) { answer, data in receiver(data, as: InkBar.self)?.answered(Int(answer)) }
        }
        handlers.connect("response", of: bar, unsafeBitCast(answered, to: GCallback.self), to: self)
    }

    /// Shows a message, which replaces the current one.
    ///
    /// - Parameter choices: buttons, from the left to the right. Default none.
    func show(_ text: String, choices: [(label: String, action: () -> Void)] = []) {
        gtk_label_set_text(cast(label), text)
        if let list = gtk_container_get_children(cast(gtk_info_bar_get_action_area(cast(bar)))) {
            var item: UnsafeMutablePointer<GList>? = list
            while let each = item {
                if let button = each.pointee.data { gtk_widget_destroy(button.assumingMemoryBound(to: GtkWidget.self)) }
                item = each.pointee.next
            }
            g_list_free(list)
        }
        actions = choices.map(\.action)
        for (number, choice) in choices.enumerated() {
            gtk_widget_show(gtk_info_bar_add_button(cast(bar), choice.label, gint(number)))
        }
        gtk_widget_show(bar)
    }

    func hide() { gtk_widget_hide(bar) }

    private func answered(_ answer: Int) {
        hide()
        if actions.indices.contains(answer) { actions[answer]() }
    }
}
