import CWebKitGTK
import Foundation
import Offstage
import OffstageGTK
import OffstageInk
import OffstageWebKit

/// The window of `offstage browse notes.xopp`: a page to draw on, and the tools.
@MainActor
final class InkWindow {
    private let canvas: InkCanvas
    private let window: UnsafeMutablePointer<GtkWidget>
    private let header = gtk_header_bar_new()!
    private let handlers = SignalHandlers()
    /// Below the buttons: the whole of a message, however long.
    private let message = gtk_label_new(nil)!
    private var buttons: [(widget: UnsafeMutablePointer<GtkWidget>, isTool: Bool, action: () -> Void)] = []
    /// The first of the tools' buttons, of which one is down.
    private var tools: UnsafeMutablePointer<GtkWidget>?
    private var whenClosed: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    /// A window that waits for its file.
    init(name: String) {
        canvas = InkCanvas(InkEditor(Ink()))
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), 860, 960)
        gtk_header_bar_set_show_close_button(cast(header), 1)
        gtk_header_bar_set_title(cast(header), name)
        gtk_window_set_titlebar(cast(window), header)
        let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
        gtk_label_set_line_wrap(cast(message), 1)
        gtk_label_set_selectable(cast(message), 1)
        gtk_widget_set_can_focus(message, 0)
        gtk_widget_set_no_show_all(message, 1)
        gtk_widget_set_margin_top(message, 6)
        gtk_widget_set_margin_bottom(message, 6)
        gtk_box_pack_start(cast(column), message, 0, 0, 0)
        gtk_box_pack_start(cast(column), canvas.widget, 1, 1, 0)
        gtk_container_add(cast(window), column)
        for (label, brush) in [
            ("Pen", InkBrush.pen), ("Marker", .marker), ("Pencil", .pencil), ("Highlighter", .highlighter),
        ] {
            add(label, isTool: true) { [weak self] in
                self?.canvas.mode = .draw
                self?.canvas.brush = brush
            }
        }
        add("Eraser", isTool: true) { [weak self] in self?.canvas.mode = .erase(.part, radius: 6) }
        add("Lasso", isTool: true) { [weak self] in self?.canvas.mode = .lasso }
        add("Save", atEnd: true) { [weak self] in self?.canvas.save() }
        add("Redo", atEnd: true) { [weak self] in self?.canvas.redo() }
        add("Undo", atEnd: true) { [weak self] in self?.canvas.undo() }
        let destroyed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkWindow.self)?.close() }
        }
        handlers.connect("destroy", of: window, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        say("opening …")
        gtk_widget_show_all(window)
        gtk_widget_grab_focus(canvas.widget)
    }

    /// Shows what has arrived of the file.
    func show(_ slice: InkSlice) { if !isClosed { canvas.show(slice) } }

    /// Begins to draw on the file.
    func open(_ opened: InkFile.Opened) {
        canvas.open(opened)
        say(opened.file.isReadOnly ? "open in another program; changes are not saved" : "")
    }

    /// Shows a message below the title bar; an empty one hides it.
    func say(_ text: String) {
        if isClosed { return }
        gtk_label_set_text(cast(message), text)
        gtk_widget_set_visible(message, text.isEmpty ? 0 : 1)
    }

    /// The file's pages under the ink, which are drawn as they are needed.
    func setBackdrop(_ picture: Offstage.Pixmap?, page: Int) {
        if !isClosed { canvas.setBackdrop(picture, page: page) }
    }

    /// Waits until the user has closed the window, and until everything is on the disk.
    func closed() async {
        if !isClosed { await withCheckedContinuation { whenClosed.append($0) } }
        canvas.save()
        await canvas.file?.close()
    }

    /// - Parameter isTool: true for a button that stays down while its tool is in use.
    private func add(
        _ label: String, isTool: Bool = false, atEnd: Bool = false, _ action: @escaping () -> Void
    ) {
        let group: UnsafeMutablePointer<GtkRadioButton>? = tools.map { cast($0) }
        let button: UnsafeMutablePointer<GtkWidget> =
            isTool ? gtk_radio_button_new_with_label_from_widget(group, label) : gtk_button_new_with_label(label)
        if isTool {
            // As a button, and not as a dot beside a label.
            gtk_toggle_button_set_mode(cast(button), 0)
            if tools == nil { tools = button }
        }
        buttons.append((button, isTool, action))
        let clicked: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { sender, data in
            onMainActor((sender, data)) { sender, data in
                receiver(data, as: InkWindow.self)?.clicked(sender)
            }
        }
        handlers.connect("clicked", of: button, unsafeBitCast(clicked, to: GCallback.self), to: self)
        if atEnd {
            gtk_header_bar_pack_end(cast(header), button)
        } else {
            gtk_header_bar_pack_start(cast(header), button)
        }
    }

    private func clicked(_ sender: UnsafeMutableRawPointer) {
        guard let button = buttons.first(where: { UnsafeMutableRawPointer($0.widget) == sender }) else { return }
        // GTK also clicks the tool that is no longer in use.
        if !button.isTool || gtk_toggle_button_get_active(cast(button.widget)) != 0 { button.action() }
        gtk_widget_grab_focus(canvas.widget)
    }

    private func close() {
        isClosed = true
        for continuation in whenClosed { continuation.resume() }
        whenClosed = []
    }
}
