import CGTK
import Foundation
import Offstage
import OffstageGTK
import OffstageGTKLive
import OffstageWebKit

/// The window of `offstage browse`: the list or the grid, a search field and the status.
@MainActor
final class BrowseWindow {
    let rows: BrowseRows
    let renderer: Renderer
    private let options: ListOptions
    /// The list or the grid.
    private(set) var view: any BrowseView
    let bar: BrowseBar
    let window: UnsafeMutablePointer<GtkWidget>
    /// The PDF documents among the inputs.
    let books: BrowseBooks
    /// The pages of a document; nil before one was opened.
    var reader: BrowseReader?
    /// True while the reader is shown instead of the list.
    var isReading = false
    var reading: Task<Void, Never>?
    /// The sound that is being played; nil for none.
    var player: BrowsePlayer?
    let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    private var timer: LoopTimer?
    private let handlers = SignalHandlers()
    private var whenClosed: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(_ rows: BrowseRows, _ renderer: Renderer, options: ListOptions = ListOptions(), isGrid: Bool = false) {
        (self.rows, self.renderer, self.options) = (rows, renderer, options)
        view = Self.view(isGrid: isGrid, rows, renderer, options)
        bar = BrowseBar(rowCount: rows.rowCount, isGrid: isGrid)
        books = BrowseBooks(rows.jobs, renderer)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), isGrid || rows.jobs.count == books.inputs.count ? 860 : 560, 860)
        gtk_window_set_titlebar(cast(window), bar.header)
        gtk_box_pack_start(cast(box), view.widget, 1, 1, 0)
        gtk_box_pack_end(cast(box), bar.status, 0, 0, 0)
        gtk_container_add(cast(window), box)
        connect()
        connectView()
        gtk_widget_show_all(window)
        gtk_widget_grab_focus(view.widget)
        showState()
        startReading()
    }

    private static func view(
        isGrid: Bool, _ rows: BrowseRows, _ renderer: Renderer, _ options: ListOptions
    ) -> any BrowseView {
        let name = "Documents"
        if isGrid {
            let grid = PictureGrid(renderer: renderer, source: rows)
            grid.accessibleName = name
            return grid
        }
        let list = PictureList(
            renderer: renderer, source: rows, options: options, liveRows: renderer.liveSnippets)
        list.accessibleName = name
        return list
    }

    /// Shows the same rows as a list or a grid, at the same position.
    private func show(isGrid: Bool) {
        if isReading { return }
        if isGrid == view is PictureGrid { return }
        let (chosen, first) = (view.chosen, view.visible.lowerBound)
        let old = view
        view = Self.view(isGrid: isGrid, rows, renderer, options)
        // The widget ends with its view.
        gtk_container_remove(cast(box), old.widget)
        gtk_box_pack_start(cast(box), view.widget, 1, 1, 0)
        view.zoom = bar.zoom
        connectView()
        gtk_widget_show_all(view.widget)
        view.chosen = chosen
        view.scroll(to: chosen ?? first, chosen == nil ? .top : .center)
        gtk_widget_grab_focus(view.widget)
        bar.showKind(isGrid: isGrid)
    }

    /// Waits until the user has closed the window.
    func closed() async {
        if isClosed { return }
        await withCheckedContinuation { whenClosed.append($0) }
    }

    private func connect() {
        bar.onSearch = { [weak self] text, goesOn in self?.search(text, goesOn: goesOn) }
        bar.onDark = { [weak self] isDark in self?.setDark(isDark) }
        bar.onZoom = { [weak self] zoom in self?.setZoom(zoom) }
        bar.onGrid = { [weak self] isGrid in self?.show(isGrid: isGrid) }
        rows.onChange = { [weak self] input in self?.reload(input) }
        timer = LoopTimer(seconds: 0.25, repeats: true, urgency: .frames) { [weak self] in self?.showState() }
        let destroyed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: BrowseWindow.self)?.close() }
        }
        handlers.connect("destroy", of: window, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        let pressed: @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<GdkEventKey>, gpointer) -> gboolean =
            {
                onMainActor(($1, $2)) { event, data in
                    let window = receiver(data, as: BrowseWindow.self)
                    return window?.keyPressed(event.pointee.keyval, event.pointee.state) == true ? 1 : 0
                }
            }
        handlers.connect("key-press-event", of: window, unsafeBitCast(pressed, to: GCallback.self), to: self)
    }

    private func connectView() {
        view.onScrolling = { [weak self] _ in self?.showState() }
        view.onFailure = { [weak self] _, error in self?.bar.say("\(error.identifier): \(error.reason)") }
        if let list = view as? PictureList {
            list.onLink = { [weak self] row, target in self?.say(target, of: row) }
            list.onSelect = { [weak self] row in row.map { self?.bar.say(self?.rows.identifier(at: $0) ?? "") } }
            list.onActivate = { [weak self] in self?.open(row: $0) }
            list.onLiveEnd = { [weak self] row, reason in self?.say("\(reason)", of: row) }
        } else if let grid = view as? PictureGrid {
            grid.onSelect = { [weak self] in self?.sayNames(of: $0) }
            grid.onActivate = { [weak self] in self?.open(row: $0) }
            grid.onZoom = { [weak self] in self?.bar.showZoom($0) }
        }
    }

    private func say(_ text: String, of row: Int) { bar.say("\(rows.identifier(at: row)): \(text)") }

    private func sayNames(of cells: IndexSet) {
        if cells.count > 1 { return bar.say("\(cells.count) selected") }
        bar.say(cells.first.map(rows.identifier(at:)) ?? "")
    }

    /// Handles keys with Ctrl; the list or the grid handles the others.
    private func keyPressed(_ key: guint, _ state: guint) -> Bool {
        if isReading, gtk_window_get_focus(cast(window)) == reader?.view.focusWidget,
            reader?.keyPressed(key, state) == true
        {
            return true
        }
        if state & GDK_CONTROL_MASK.rawValue == 0 { return playerKeyPressed(key) }
        switch Int32(key) {
        case GDK_KEY_f: bar.focusSearch()
        case GDK_KEY_q, GDK_KEY_w: gtk_widget_destroy(window)
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: bar.changeZoom(by: 1)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: bar.changeZoom(by: -1)
        case GDK_KEY_0, GDK_KEY_KP_0: bar.changeZoom(by: 0)
        case GDK_KEY_1, GDK_KEY_KP_1: show(isGrid: false)
        case GDK_KEY_2, GDK_KEY_KP_2: show(isGrid: true)
        default: return false
        }
        return true
    }

    /// - Parameter goesOn: true to continue with the next matching row.
    private func search(_ text: String, goesOn: Bool) {
        if isReading { return searchPages(text, goesOn: goesOn) }
        if text.isEmpty { return bar.say("") }
        let start = (view.chosen ?? view.visible.lowerBound) + (goesOn ? 1 : 0)
        guard let row = rows.row(matching: text, from: start) else {
            return bar.say("no row's name contains “\(text)”")
        }
        view.chosen = row
        view.scroll(to: row, .center)
    }

    /// Reloads the rows of an input whose file has changed. A row far from the screen is requested again when it is
    /// about to appear.
    private func reload(_ input: Int) {
        let (first, count) = (view.visible.lowerBound, view.visible.count)
        for row in first - count..<first + 2 * count where rows.shows(row, input: input) { view.reload(item: row) }
    }

    private func setDark(_ isDark: Bool) {
        if let settings = gtk_settings_get_default() {
            setProperty("gtk-application-prefer-dark-theme", of: settings, to: isDark)
        }
        rows.colorScheme = isDark ? .dark : .light
        reader?.view.isDark = isDark
        recolorPlayer()
        view.reload()
    }

    private func showState() {
        bar.show(renderer.counters, waiting: renderer.waitingCount, isSuspended: renderer.isSuspended)
    }

    private func close() {
        timer = nil
        reading?.cancel()
        player = nil
        isClosed = true
        for continuation in whenClosed { continuation.resume() }
        whenClosed = []
    }
}
