import CGTK
import Offstage
import OffstageWebKit

/// The controls around the list or grid: its kind, search, dark scheme and zoom above it, and the status below.
@MainActor
final class BrowseBar {
    /// The title bar of the window.
    let header = gtk_header_bar_new()!
    /// The status line below the list.
    let status = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)!
    /// Called with the text to search, and whether to continue with the next row.
    var onSearch: ((_ text: String, _ goesOn: Bool) -> Void)?
    var onDark: ((Bool) -> Void)?
    var onZoom: ((Double) -> Void)?
    /// Called when the user wants a grid, or a list.
    var onGrid: ((Bool) -> Void)?
    /// Called when the user wants a document with its annotations.
    var onSave: (() -> Void)?
    /// The zoom that the bar shows.
    var zoom: Double { Self.zooms[zoomIndex] }

    private let search = gtk_search_entry_new()!
    private let dark = gtk_toggle_button_new()!
    private let grid = gtk_toggle_button_new()!
    private let save = gtk_button_new_from_icon_name("document-save-as-symbolic", GTK_ICON_SIZE_BUTTON)!
    private let zoomLabel = gtk_button_new_with_label("100 %")!
    private let light = gtk_image_new()!
    private let words = gtk_label_new(nil)!
    private let counters = gtk_label_new(nil)!
    private var shownCounters = ""
    private var isPaused: Bool?

    private static let zooms = [0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3]
    private var zoomIndex = 4

    init(rowCount: Int, isGrid: Bool) {
        gtk_header_bar_set_show_close_button(cast(header), 1)
        gtk_header_bar_set_title(cast(header), "Offstage")
        gtk_header_bar_set_subtitle(cast(header), "\(rowCount) \(rowCount == 1 ? "picture" : "pictures")")
        gtk_entry_set_placeholder_text(cast(search), "Identifier")
        gtk_entry_set_width_chars(cast(search), 12)
        gtk_widget_set_tooltip_text(search, "Search (Ctrl F); Return finds the next one")
        gtk_button_set_image(
            cast(dark), gtk_image_new_from_icon_name("weather-clear-night-symbolic", GTK_ICON_SIZE_BUTTON))
        gtk_widget_set_tooltip_text(dark, "Dark")
        gtk_button_set_image(cast(grid), gtk_image_new_from_icon_name("view-grid-symbolic", GTK_ICON_SIZE_BUTTON))
        gtk_widget_set_tooltip_text(grid, "Grid (Ctrl 2), or list (Ctrl 1)")
        gtk_toggle_button_set_active(cast(grid), isGrid ? 1 : 0)
        gtk_header_bar_pack_start(cast(header), grid)
        gtk_header_bar_pack_start(cast(header), search)
        gtk_header_bar_pack_start(cast(header), save)
        gtk_widget_set_tooltip_text(save, "Save as PDF, with the annotations, beside the document (Ctrl S)")
        // The window shows all of its widgets.
        gtk_widget_set_no_show_all(save, 1)
        gtk_header_bar_pack_end(cast(header), dark)
        gtk_header_bar_pack_end(cast(header), zoomButtons())
        makeStatus()
        connect()
    }

    func say(_ text: String) { gtk_label_set_text(cast(words), text) }

    func focusSearch() { gtk_widget_grab_focus(search) }

    /// - Parameter steps: up or down; 0 resets the zoom to 100 %.
    func changeZoom(by steps: Int) {
        let index = steps == 0 ? 4 : min(max(zoomIndex + steps, 0), Self.zooms.count - 1)
        if index == zoomIndex { return }
        zoomIndex = index
        gtk_button_set_label(cast(zoomLabel), "\(Int(Self.zooms[index] * 100)) %")
        onZoom?(Self.zooms[index])
    }

    /// Shows a zoom that the user has chosen elsewhere; the nearest one that the bar has.
    func showZoom(_ zoom: Double) {
        let nearest = Self.zooms.indices.min { abs(Self.zooms[$0] - zoom) < abs(Self.zooms[$1] - zoom) }
        guard let nearest, nearest != zoomIndex else { return }
        zoomIndex = nearest
        gtk_button_set_label(cast(zoomLabel), "\(Int(zoom * 100)) %")
    }

    /// Shows or hides the button that saves a document with its annotations.
    func showSave(_ isVisible: Bool) { gtk_widget_set_visible(save, isVisible ? 1 : 0) }

    /// Shows whether the window has a grid or a list.
    func showKind(isGrid: Bool) { gtk_toggle_button_set_active(cast(grid), isGrid ? 1 : 0) }

    func show(_ numbers: RenderCounters, waiting: Int, isSuspended: Bool) {
        if isPaused != isSuspended {
            isPaused = isSuspended
            let name = isSuspended ? "media-playback-pause-symbolic" : "media-playback-start-symbolic"
            gtk_image_set_from_icon_name(cast(light), name, GTK_ICON_SIZE_MENU)
            gtk_widget_set_tooltip_text(light, isSuspended ? "Nothing is drawn while the list scrolls" : "Drawing")
            gtk_widget_set_opacity(light, isSuspended ? 1 : 0.35)
        }
        let text =
            "\(numbers.drawn) drawn · \(numbers.hitsInMemory) from memory · \(numbers.hitsOnDisk) from disk · \(waiting) waiting"
        // Setting a label lays it out, and the window with it.
        if text == shownCounters { return }
        shownCounters = text
        gtk_label_set_text(cast(counters), text)
    }

    private func makeStatus() {
        gtk_container_set_border_width(cast(status), 6)
        gtk_label_set_ellipsize(cast(words), PANGO_ELLIPSIZE_END)
        gtk_label_set_xalign(cast(words), 0)
        gtk_label_set_ellipsize(cast(counters), PANGO_ELLIPSIZE_START)
        // Reserve the maximum width, so that the other controls do not move.
        gtk_label_set_width_chars(cast(counters), 20)
        gtk_box_pack_start(cast(status), light, 0, 0, 0)
        gtk_box_pack_start(cast(status), words, 1, 1, 0)
        gtk_box_pack_end(cast(status), counters, 1, 1, 0)
        gtk_label_set_xalign(cast(counters), 1)
    }

    private func zoomButtons() -> UnsafeMutablePointer<GtkWidget> {
        let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)!
        gtk_style_context_add_class(gtk_widget_get_style_context(box), "linked")
        let (less, more) = (
            gtk_button_new_from_icon_name("zoom-out-symbolic", GTK_ICON_SIZE_BUTTON)!,
            gtk_button_new_from_icon_name("zoom-in-symbolic", GTK_ICON_SIZE_BUTTON)!
        )
        for button in [less, zoomLabel, more] { gtk_box_pack_start(cast(box), button, 0, 0, 0) }
        connect(less, "clicked") { $0.changeZoom(by: -1) }
        connect(zoomLabel, "clicked") { $0.changeZoom(by: 0) }
        connect(more, "clicked") { $0.changeZoom(by: 1) }
        return box
    }

    private func connect() {
        connect(search, "search-changed") { $0.searched(goesOn: false) }
        connect(search, "activate") { $0.searched(goesOn: true) }
        connect(search, "next-match") { $0.searched(goesOn: true) }
        connect(save, "clicked") { $0.onSave?() }
        connect(grid, "toggled") { bar in
            bar.onGrid?(gtk_toggle_button_get_active(cast(bar.grid)) != 0)
        }
        connect(dark, "toggled") { bar in
            bar.onDark?(gtk_toggle_button_get_active(cast(bar.dark)) != 0)
        }
    }

    private func searched(goesOn: Bool) { onSearch?(String(cString: gtk_entry_get_text(cast(search))), goesOn) }

    /// Connects a closure to a signal without arguments; the closure lives as long as the widget.
    private func connect(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ signal: String, _ action: @escaping @MainActor (BrowseBar) -> Void
    ) {
        let callback: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { Unmanaged<Action>.fromOpaque($0).takeUnretainedValue().call() }
        }
        g_signal_connect_data(
            widget, signal, unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(Action(self, action)).toOpaque(),
            { data, _ in Unmanaged<Action>.fromOpaque(data!).release() }, GConnectFlags(rawValue: 0))
    }

    @MainActor
    private final class Action {
        private weak var bar: BrowseBar?
        private let action: @MainActor (BrowseBar) -> Void

        init(_ bar: BrowseBar, _ action: @escaping @MainActor (BrowseBar) -> Void) {
            (self.bar, self.action) = (bar, action)
        }

        func call() { if let bar { action(bar) } }
    }
}
