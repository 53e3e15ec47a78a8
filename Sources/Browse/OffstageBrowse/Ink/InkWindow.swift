import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageInk
import OffstageWebKit

/// The window of `offstage browse notes.xopp`: a page to draw on, and the tools.
@MainActor
final class InkWindow {
    private let canvas: InkCanvas
    private let window: UnsafeMutablePointer<GtkWidget>
    private let header = gtk_header_bar_new()!
    private let bar: InkBar
    private let handlers = SignalHandlers()
    private var buttons: [(widget: UnsafeMutablePointer<GtkWidget>, isTool: Bool, action: () -> Void)] = []
    /// The first of the tool buttons. One of them is always pressed.
    private var tools: UnsafeMutablePointer<GtkWidget>?
    private var whenClosed: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    /// Creates a window that is empty until its file is opened.
    init(name: String) {
        canvas = InkCanvas(InkEditor(Ink()))
        bar = InkBar(above: canvas.widget)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), 860, 960)
        gtk_header_bar_set_show_close_button(cast(header), 1)
        gtk_header_bar_set_title(cast(header), name)
        gtk_window_set_titlebar(cast(window), header)
        gtk_container_add(cast(window), bar.widget)
        for (label, brush) in [
            ("Pen", InkBrush.pen), ("Marker", .marker), ("Pencil", .pencil), ("Chalk", .chalk),
            ("Charcoal", .charcoal), ("Nib", .calligraphy), ("Highlighter", .highlighter),
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

    /// Shows the part of the file that has arrived.
    func show(_ slice: InkSlice) { if !isClosed { canvas.show(slice) } }

    /// Lets the user draw on the opened file.
    func open(_ opened: InkFile.Opened) {
        canvas.open(opened)
        say("")
        if opened.file.isReadOnly { show("This file is open in another program. Changes here are not saved.") }
        if let second = opened.secondFile {
            show(
                "Another program has written this file since an earlier run. "
                    + "The unsaved changes of that run are in \(second)."
            )
        } else if opened.mergedItems > 0 {
            show("Another program's additions to this file were merged with unsaved changes of an earlier run.")
        }
    }

    /// Shows what happened to the file.
    func note(_ event: InkFile.Event) {
        switch event {
        case .saved(let losses):
            say("saved")
            let names = losses.map(\.rawValue).joined(separator: "; ")
            if !losses.isEmpty { show("Saved. This format cannot store \(names).") }
        case .failed(let error):
            say("not saved")
            show("Not saved: \(error).")
        case .stored:
            say("")
            show("All changes are stored again.")
        case .keptOriginal(let path): Console.line("the previous version of the file is now \(path)")
        case .openedElsewhere: say("another program is reading this file")
        case .changedElsewhere(let canMerge): ask(canMerge)
        case .moved(let path):
            gtk_header_bar_set_title(cast(header), (path as NSString).lastPathComponent)
            show("The changes are in \(path). This window shows that file now.")
        case .skipped(let steps):
            show(
                "\(steps) change\(steps == 1 ? "" : "s") of an earlier run cannot be undone: the file's journal is damaged."
            )
        case .keptOther(let path):
            show("Another program wrote this file at the same moment. Its version is in \(path).")
        }
    }

    /// Asks what to do after another program has written the file.
    private func ask(_ canMerge: Bool) {
        say("not saved")
        let second = (label: "Save as a second file", action: { [weak self] in self?.canvas.saveSecond() ?? () })
        let merge = (label: "Merge", action: { [weak self] in _ = self?.canvas.merge() })
        show(
            canMerge
                ? "Another program has added to this file. Its changes can be merged with those here."
                : "Another program has changed this file. It was not overwritten.",
            choices: canMerge ? [merge, second] : [second])
    }

    private func show(_ text: String, choices: [(label: String, action: () -> Void)] = []) {
        if !isClosed { bar.show(text, choices: choices) }
    }

    /// Shows the state of the file below the title: a word or two.
    func say(_ text: String) { if !isClosed { gtk_header_bar_set_subtitle(cast(header), text) } }

    /// Sets the picture under the ink of a page.
    func setBackdrop(_ picture: Offstage.Pixmap?, page: Int) {
        if !isClosed { canvas.setBackdrop(picture, page: page) }
    }

    /// Waits until the user has closed the window, and until everything is on the disk.
    func closed() async {
        if !isClosed { await withCheckedContinuation { whenClosed.append($0) } }
        canvas.save()
        await canvas.file?.finishSaves()
        // It is too late to ask the user: the changes are merged, or saved in a second file.
        if canvas.file?.isChangedElsewhere == true { canvas.save() }
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
            // Drawn as a button, not as a dot beside a label.
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
        // GTK also emits “clicked” for the tool that is no longer in use.
        if !button.isTool || gtk_toggle_button_get_active(cast(button.widget)) != 0 { button.action() }
        gtk_widget_grab_focus(canvas.widget)
    }

    private func close() {
        isClosed = true
        for continuation in whenClosed { continuation.resume() }
        whenClosed = []
    }
}
