import CGTK
import Offstage
import OffstagePages

/// Search in the text of a document.
extension PageView {
    /// Marks the matches of a text on the visible pages, and goes to the first one from the current position on. An
    /// empty text ends the search.
    ///
    /// - Parameter query: the text to find; case and accents do not matter.
    public func find(_ query: String) {
        search.task?.cancel()
        search = PageSearch(query: query)
        canvas.queueDraw()
        if query.isEmpty { return }
        for (place, cell) in pages { if let text = cell.text { note(text, of: place) } }
        seek(from: position.page, including: true, isForward: true)
    }

    /// Goes to the next or the previous match.
    public func findNext(backward: Bool = false) {
        if search.query.isEmpty { return }
        if let (place, index) = search.current, place.document == position.document,
            visiblePages?.contains(place.page) == true
        {
            let count = search.matches[place]?.count ?? 0
            let next = index + (backward ? -1 : 1)
            if next >= 0, next < count { return mark(place, next) }
            return seek(from: place.page, including: false, isForward: !backward)
        }
        seek(from: position.page, including: true, isForward: !backward)
    }

    /// True while the document is searched.
    public var isSearching: Bool { search.task != nil }

    /// The page of the current match; nil before a search, and if the document does not contain the text.
    public var found: PagePlan.Place? { search.current?.place }

    /// Stores the matches on a page.
    func note(_ text: PageText, of place: PagePlan.Place) {
        if search.query.isEmpty { return }
        search.matches[place] = text.matches(of: search.query).map { ($0, text.parts($0)) }
    }

    private func mark(_ place: PagePlan.Place, _ index: Int) {
        search.current = (place, index)
        if visiblePages?.contains(place.page) != true { show(document: place.document, page: place.page) }
        revealCurrent()
        canvas.queueDraw()
    }

    /// Pans an enlarged page so that the match is visible.
    private func revealCurrent() {
        guard let place = search.current?.place, let part = search.currentParts(place.document, place.page)?.first,
            let box = layout.box(of: part, page: place.page)
        else { return }
        let (width, height) = layout.window
        let x = box.x < 0 || box.right > width ? box.x + box.width / 2 - width / 2 : 0
        let y = box.y < 0 || box.bottom > height ? box.y + box.height / 2 - height / 2 : 0
        if x != 0 || y != 0 { pan(byX: x, y: y) }
    }

    /// Searches page after page, around the whole document, until it finds the text.
    private func seek(from page: Int, including: Bool, isForward: Bool) {
        guard let engine, let book = requests.book(position.document), !book.pages.isEmpty else { return }
        let (document, count, query) = (position.document, book.pages.count, search.query)
        search.task?.cancel()
        search.task = Task { [weak self] in
            let first = including ? 0 : 1
            for step in first..<count + 1 {
                let number = (page - 1 + (isForward ? step : count * 2 - step)) % count + 1
                let place = PagePlan.Place(document: document, page: number)
                if Task.isCancelled { return }
                if self?.search.matches[place] == nil {
                    guard let text = try? await engine.text(of: book.document, page: number, password: book.password)
                    else { continue }
                    guard let self, !Task.isCancelled, search.query == query else { return }
                    note(text, of: place)
                }
                guard let self, isOpen, position.document == document else { return }
                guard let matches = search.matches[place], !matches.isEmpty else { continue }
                search.task = nil
                return mark(place, isForward ? 0 : matches.count - 1)
            }
            self?.search.task = nil
            self?.canvas.queueDraw()
        }
    }
}
