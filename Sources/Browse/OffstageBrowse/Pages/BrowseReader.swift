import CGTK
import Offstage
import OffstageGTK
import OffstagePages
import OffstageWebKit

/// The pages of a document in the window of `offstage browse`: a strip of thumbnails, and the page view.
@MainActor
final class BrowseReader {
    /// The widget to put into the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    let view: PageView
    private let strip: PageStrip
    private let books: BrowseBooks
    private let handlers = SignalHandlers()
    /// Called with the text of the status line.
    var onMessage: ((String) -> Void)?
    /// Called with true if the visible document has annotations to save, and with false if it has none.
    var onSavable: ((Bool) -> Void)?
    /// Called when the reader wants to go back to the list.
    var onLeave: (() -> Void)?

    init(_ books: BrowseBooks, _ renderer: Renderer) {
        self.books = books
        view = PageView(renderer: renderer, books: books.books)
        strip = PageStrip(of: view)
        widget = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)).assumingMemoryBound(to: GtkWidget.self)
        gtk_box_pack_start(cast(widget), strip.widget, 0, 0, 0)
        gtk_box_pack_start(cast(widget), view.widget, 1, 1, 0)
        gtk_widget_show_all(widget)
        view.onTurn = { [weak self] _ in self?.turned() }
        view.onLink = { [weak self] in self?.onMessage?($0) }
        view.onFailure = { [weak self] _, error in self?.onMessage?("\(error.identifier): \(error.reason)") }
        view.onEnd = { [weak self] in self?.onMessage?($0 > 0 ? "this is the last page" : "this is the first page") }
        view.onInk = { [weak self] place, ink in self?.drawn(ink, at: place) }
        books.onChange = { [weak self] books in
            guard let self else { return }
            view.books = books
            strip.follow()
            showSavable()
        }
    }

    isolated deinit { g_object_unref(widget) }

    /// Shows the first page of a document once it has been read.
    ///
    /// - Parameter document: its number among the documents.
    func open(_ document: Int) async {
        if let problem = await books.read(document) {
            onMessage?(problem)
            onLeave?()
            return
        }
        view.books = books.books
        view.show(document: document, page: 1)
        turned()
        gtk_widget_grab_focus(view.widget)
    }

    private func showSavable() {
        let document = view.position.document
        onSavable?(books.books.indices.contains(document) && books.canSave(document))
    }

    /// Writes a copy of the visible document with its annotations, beside the original.
    func save() {
        let document = view.position.document
        onMessage?("saving…")
        Task { [weak self, books] in self?.onMessage?(await books.save(document)) }
    }

    private func turned() {
        strip.follow()
        showSavable()
        guard let visible = view.visiblePages, view.books.indices.contains(view.position.document) else { return }
        let book = view.books[view.position.document]
        let pages = visible.count == 1 ? "\(visible.lowerBound)" : "\(visible.lowerBound)-\(visible.upperBound)"
        onMessage?("\(book.identifier): page \(pages) of \(book.pages.count)")
    }

    private func drawn(_ ink: PageAnnotation, at place: PagePlan.Place) {
        let isStored = books.add(ink, at: place) { [weak self] in self?.onMessage?($0) }
        if !isStored { onMessage?("this document's annotations are not stored; leave out --annotations none") }
    }

    /// - Returns: false for a key that the reader does not use.
    func keyPressed(_ key: guint, _ state: guint) -> Bool {
        if state & GDK_CONTROL_MASK.rawValue != 0 {
            if key == guint(GDK_KEY_s) {
                save()
                return true
            }
            guard key == guint(GDK_KEY_z) else { return false }
            return books.undo(in: view.position.document) { [weak self] in self?.onMessage?($0) }
        }
        switch Int32(key) {
        case GDK_KEY_Escape:
            if view.isFullScreen || !view.selectedText.isEmpty { return false }
            onLeave?()
        case GDK_KEY_d: view.spread = view.spread == .single ? .double : view.spread == .double ? .book : .single
        case GDK_KEY_w: view.scaling = view.scaling == .fitPage ? .fitWidth : .fitPage
        case GDK_KEY_h: view.turnsHalves.toggle()
        case GDK_KEY_m: view.cropsMargins.toggle()
        case GDK_KEY_p:
            view.pen = view.pen == nil ? PagePen() : nil
            if view.pen != nil { view.variant = .annotated }
            onMessage?(view.pen == nil ? "the pointer turns pages" : "the pointer draws; P ends drawing, Ctrl Z undoes")
        case GDK_KEY_n: view.variant = view.variant == .plain ? .annotated : .plain
        case GDK_KEY_t: gtk_widget_set_visible(strip.widget, gtk_widget_get_visible(strip.widget) == 0 ? 1 : 0)
        default: return false
        }
        return true
    }
}
