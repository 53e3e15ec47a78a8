import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// Words, selection and links.
extension PageView {
    // MARK: Words

    /// Reads the words of a page, once.
    func readText(of cell: PageCell) {
        guard !cell.isTextAsked, let engine, let book = requests.book(cell.place.document) else { return }
        cell.isTextAsked = true
        let page = cell.place.page
        Task { [weak self, weak cell] in
            let text = try? await engine.text(of: book.document, page: page, password: book.password)
            guard let self, let cell, isOpen else { return }
            guard let text else {
                cell.isTextAsked = false
                return
            }
            cell.text = text
            note(text, of: cell.place)
            if cell.place.document == position.document { accessible.pictureArrived(in: page - 1) }
            canvas.queueDraw()
        }
    }

    // MARK: Selection

    /// The selected text; empty for none.
    public var selectedText: String {
        guard let selection else { return "" }
        return selection.pages.compactMap { page in
            pages[PagePlan.Place(document: position.document, page: page)]?.text.flatMap { text in
                selection.range(inPage: page, text).map { text.string($0) }
            }
        }.joined(separator: "\n")
    }

    /// Selects the whole text of the visible pages.
    public func selectAll() {
        let cells = visibleCells.filter { $0.text?.words.isEmpty == false }
        guard let first = cells.first, let last = cells.last, let words = last.text?.words else { return }
        setSelection(
            PageSelection(
                anchor: .init(page: first.place.page, position: .init(word: 0, character: 0)),
                end: .init(
                    page: last.place.page,
                    position: .init(word: words.count - 1, character: words[words.count - 1].text.count))))
    }

    func setSelection(_ new: PageSelection?) {
        if new == selection { return }
        selection = new
        canvas.queueDraw()
        onSelect?(selectedText)
    }

    func selectedParts(ofPage page: Int) -> [PagePart] {
        guard let selection, let text = pages[PagePlan.Place(document: position.document, page: page)]?.text,
            let range = selection.range(inPage: page, text)
        else { return [] }
        return text.parts(range)
    }

    /// The text position nearest to a point of the window, on the page at the point or the nearest one.
    func textEnd(atX x: Double, y: Double) -> PageSelection.End? {
        func distance(_ placed: PageLayout.Placed) -> Double {
            max(placed.clip.x - x, 0, x - placed.clip.right) + max(placed.clip.y - y, 0, y - placed.clip.bottom)
        }
        guard let placed = layout.pages.min(by: { distance($0) < distance($1) }),
            let text = pages[PagePlan.Place(document: position.document, page: placed.number)]?.text
        else { return nil }
        let box = placed.box
        return text.position(
            nearestX: (x - box.x) / box.width, y: (y - box.y) / box.height, aspect: box.width / box.height
        ).map { PageSelection.End(page: placed.number, position: $0) }
    }

    /// True if a point is on a word.
    func isOnText(_ x: Double, _ y: Double) -> Bool {
        guard let (page, x, y) = layout.place(atX: x, y: y) else { return false }
        return pages[PagePlan.Place(document: position.document, page: page)]?.text?.word(atX: x, y: y) != nil
    }

    /// Selects the word at a point.
    func selectWord(atX x: Double, y: Double) -> Bool {
        guard let (page, x, y) = layout.place(atX: x, y: y),
            let text = pages[PagePlan.Place(document: position.document, page: page)]?.text,
            let word = text.word(atX: x, y: y)
        else { return false }
        setSelection(
            PageSelection(
                anchor: .init(page: page, position: .init(word: word, character: 0)),
                end: .init(page: page, position: .init(word: word, character: text.words[word].text.count))))
        return true
    }

    /// Puts the selected text on the clipboard.
    public func copySelection() {
        let text = selectedText
        if text.isEmpty { return }
        // GDK_SELECTION_CLIPBOARD, a macro that Swift does not import.
        let clipboard = gtk_clipboard_get_for_display(
            gtk_widget_get_display(widget), gdk_atom_intern("CLIPBOARD", 0))
        gtk_clipboard_set_text(clipboard, text, Int32(clamping: text.utf8.count))
    }

    // MARK: Links

    /// The target of the link at a point of the window.
    func link(atX x: Double, y: Double) -> String? {
        guard let (page, x, y) = layout.place(atX: x, y: y) else { return nil }
        let place = PagePlan.Place(document: position.document, page: page)
        // The last link is on top.
        return pages[place]?.links.last { $0.part.contains(x: x, y: y) }?.target
    }

    /// Goes to the target if it is a page of the document; otherwise, passes it to the host.
    func follow(_ target: String) {
        guard let place = PageTarget(target) else {
            onLink?(target)
            return
        }
        show(page: place.page)
        if let y = place.y { reveal(y: y, page: place.page) }
    }

    /// Pans an enlarged page so that a position on it is at the upper edge of the window, as far as possible.
    ///
    /// - Parameter y: from the upper edge of the page in its natural size, CSS px.
    private func reveal(y: Double, page: Int) {
        guard let pages = requests.book(position.document)?.pages, pages.indices.contains(page - 1),
            pages[page - 1].height > 0
        else { return }
        let part = PagePart(x: 0, y: y * 72 / 96 / pages[page - 1].height, width: 1, height: 0)
        if let box = layout.box(of: part, page: page) { pan(byX: 0, y: box.y) }
    }
}
