import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// The pictures of the visible pages.
extension PageView {
    /// The maximum number of cells: for the visible pages and the most recent ones.
    private static let mostCells = 12

    /// The cell of a page that exists.
    func cell(_ place: PagePlan.Place) -> PageCell? {
        guard let book = requests.book(place.document), book.pages.indices.contains(place.page - 1) else { return nil }
        order.removeAll { $0 == place }
        order.append(place)
        if let cell = pages[place], cell.document === book.document,
            cell.identifier == book.identifier(ofPage: place.page)
        {
            return cell
        }
        pages[place]?.withdraw()
        let cell = PageCell(place, of: book)
        pages[place] = cell
        return cell
    }

    /// The cells of the visible pages.
    var visibleCells: [PageCell] {
        guard let visible = visiblePages else { return [] }
        return visible.compactMap { pages[PagePlan.Place(document: position.document, page: $0)] }
    }

    /// Requests the visible pages and those around them, and shows pictures from memory at once.
    func requestPages() {
        guard isOpen, !isResting, let visible = visiblePages, requests.sizing.width > 1 else { return }
        let cells = visible.compactMap { cell(PagePlan.Place(document: position.document, page: $0)) }
        for (place, cell) in pages where !cells.contains(where: { $0 === cell }) {
            cell.withdraw()
            cell.dropSharp()
            if order.firstIndex(of: place) ?? 0 < order.count - Self.mostCells { pages[place] = nil }
        }
        order = Array(order.suffix(Self.mostCells))
        for cell in cells { request(cell) }
        if cutMargins() {
            follow()
            for cell in cells { request(cell) }
        }
        placePages()
    }

    /// All requests go through the page turner, which knows what else the reader needs; the cell only waits for its
    /// own.
    private func request(_ cell: PageCell) {
        guard let wanted = requests.request(for: cell.place) else { return }
        if cell.request == wanted.coalescingKey { return }
        let visit = cell.beginVisit()
        guard let task = turner.task(for: cell.place, variant) else { return }
        if let image = task.pictureAtOnce {
            if cell.take(image, for: wanted) {
                settleInk(of: wanted, at: cell.place)
                prepare(cell)
            }
            return
        }
        if cell.isBlank, let image = renderer.thumbnailAtOnce(for: wanted, fittingInto: options.thumbnail) {
            cell.takeThumbnail(image)
        }
        let box = options.thumbnail
        Task { [weak self, weak cell, renderer] in
            if cell?.isBlank == true,
                let image = await renderer.thumbnailAtHand(for: wanted, RenderOptions(thumbnail: box)),
                let self, let cell, isOpen, cell.visit == visit, cell.isBlank
            {
                cell.takeThumbnail(image)
                pictureArrived(in: cell)
            }
            do throws(RenderError) {
                let image = try await task.picture
                guard let self, let cell, isOpen, cell.visit == visit else { return }
                cell.cancellations = 0
                if cell.take(image, for: wanted) {
                    settleInk(of: wanted, at: cell.place)
                    pictureArrived(in: cell)
                }
            } catch {
                guard let self, let cell, isOpen, cell.visit == visit else { return }
                failed(error, in: cell)
            }
        }
    }

    private func failed(_ error: RenderError, in cell: PageCell) {
        if case .cancelled = error.reason {
            // The request was cancelled elsewhere, or to free a worker for another visible page.
            guard cell.cancellations < 3, visibleCells.contains(where: { $0 === cell }) else { return }
            cell.cancellations += 1
            follow()
            // The picture may be in memory by now. Then no task delivers it, and `requestPages` has to paint it.
            return requestPages()
        }
        cell.error = error
        canvas.queueDraw()
        onFailure?(cell.place, error)
    }

    private func pictureArrived(in cell: PageCell) {
        prepare(cell)
        if cutMargins() {
            // The page is now shown at another size.
            follow()
            for cell in visibleCells { request(cell) }
        }
        placePages()
        accessible.pictureArrived(in: cell.place.page - 1)
    }

    private func prepare(_ cell: PageCell) {
        if isDark { cell.full?.darken() }
        readText(of: cell)
    }

    /// Lays out the visible pages, and draws them.
    func placePages() {
        guard let visible = visiblePages else {
            layout = requests.sizing.layout()
            placeInk()
            return canvas.queueDraw()
        }
        let (pan, zoom) = (layout.pan, layout.zoom)
        layout = requests.sizing.layout(zoom: zoom)
        layout.pan = pan
        let pages = requests.pages(visible, of: position.document)
        if position.isHalf, pages.count == 2 {
            layout.placeHalves(of: pages[0], next: pages[1])
        } else {
            layout.place(pages)
        }
        placeInk()
        sharpenSoon()
        canvas.queueDraw()
        accessible.update(visible: accessibleRowsOnScreen)
    }

    /// Passes the reader's position to the turner.
    func follow() {
        guard isOpen, !isResting, let visible = visiblePages, requests.sizing.width > 1 else { return }
        turner.show(document: position.document, pages: visible, travel: travel)
    }

    // MARK: Margins

    /// Cuts off the margins of the visible pages, if the margins are known.
    ///
    /// - Returns: true if the visible part of a page has changed.
    @discardableResult
    private func cutMargins() -> Bool {
        guard cropsMargins else { return false }
        var parts: [PagePlan.Place: PagePart] = [:]
        for (place, cell) in pages { parts[place] = cell.inner }
        let visible = visiblePages ?? 1...1
        let before = requests.pages(visible, of: position.document)
        requests.setParts(parts)
        return requests.pages(visible, of: position.document) != before
    }

    func cropChanged() {
        if !cropsMargins { requests.setParts([:]) }
        cutMargins()
        requestAll()
    }

    // MARK: Changes

    /// Requests the visible pages at another size.
    func requestAll() {
        follow()
        requestPages()
    }

    func changeSizing(_ change: (inout PageRequests.Sizing) -> Void) {
        var sizing = requests.sizing
        change(&sizing)
        if sizing == requests.sizing { return }
        requests.sizing = sizing
        turner.variants = [sizing.variant]
        layout.pan = (0, 0)
        position = movement.clamped(position) ?? position
        requestAll()
    }

    func darkChanged() {
        for cell in pages.values { if isDark { cell.full?.darken() } }
        placeInk()
        canvas.queueDraw()
    }
}
