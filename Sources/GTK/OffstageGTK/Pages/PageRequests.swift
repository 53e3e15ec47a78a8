import Offstage
import OffstagePages
import Synchronization

/// Makes the requests for pages. A page turner calls it on any thread.
final class PageRequests: Sendable {
    /// Decides the size of a page's picture.
    struct Sizing: Sendable, Equatable {
        /// GTK px; 0 before the widget has a size.
        var width = 0.0
        var height = 0.0
        /// Device px per GTK px.
        var deviceScale = 1.0
        var scaling = PageScaling.fitPage
        var spread = PageSpread.single
        var gap = 4.0
        var variant = PageVariant.annotated

        func layout(zoom: Double = 1) -> PageLayout {
            var layout = PageLayout(width: width, height: height)
            (layout.deviceScale, layout.scaling, layout.gap, layout.zoom) = (deviceScale, scaling, gap, zoom)
            return layout
        }
    }

    private struct State {
        var books: [PageBook]
        var sizing = Sizing()
        /// The parts of pages inside their margins, if known. Empty if margins are shown.
        var parts: [PagePlan.Place: PagePart] = [:]
    }

    private let state: Mutex<State>

    /// The longest side of a whole page's picture, device px. Beyond it, only a part of the page is drawn.
    private static let mostSide = 8_192.0

    init(_ books: [PageBook]) { state = Mutex(State(books: books)) }

    var books: [PageBook] {
        get { state.withLock { $0.books } }
        set { state.withLock { $0.books = newValue } }
    }

    var sizing: Sizing {
        get { state.withLock { $0.sizing } }
        set { state.withLock { $0.sizing = newValue } }
    }

    /// - Parameter parts: the parts of pages whose margins are cut off.
    func setParts(_ parts: [PagePlan.Place: PagePart]) { state.withLock { $0.parts = parts } }

    func book(_ document: Int) -> PageBook? {
        state.withLock { $0.books.indices.contains(document) ? $0.books[document] : nil }
    }

    /// The pages to lay out together.
    func pages(_ numbers: ClosedRange<Int>, of document: Int) -> [PageLayout.Page] {
        state.withLock { state in
            guard state.books.indices.contains(document) else { return [] }
            let pages = state.books[document].pages
            return numbers.filter { pages.indices.contains($0 - 1) }.map {
                PageLayout.Page(
                    number: $0, width: pages[$0 - 1].width, height: pages[$0 - 1].height,
                    part: state.parts[PagePlan.Place(document: document, page: $0)] ?? .whole)
            }
        }
    }

    /// The request for a whole page at the size at which the reader sees it without zoom; nil before the widget has a size.
    func request(for place: PagePlan.Place, _ variant: PageVariant? = nil) -> DocumentPage? {
        let sizing = sizing
        guard sizing.width > 1, sizing.height > 1, let book = book(place.document),
            book.pages.indices.contains(place.page - 1)
        else { return nil }
        let count = book.pages.count
        let first = sizing.spread.first(of: place.page)
        let last = sizing.spread == .single || (sizing.spread == .book && first < 2) ? first : first + 1
        let pages = pages(max(1, first)...max(1, min(last, count)), of: place.document)
        let page = book.pages[place.page - 1]
        let scale = sizing.layout().fitScale(pages)
        return request(for: place, of: book, width: page.width * scale, variant ?? sizing.variant, sizing)
    }

    /// The request for a part of an enlarged page; nil if it is not visible.
    ///
    /// - Parameters:
    ///   - width: the whole page's width, GTK px.
    ///   - part: the part of the page.
    func request(for place: PagePlan.Place, width: Double, part: PagePart) -> DocumentPage? {
        let sizing = sizing
        guard let book = book(place.document), book.pages.indices.contains(place.page - 1),
            var request = request(for: place, of: book, width: width, sizing.variant, sizing, most: 50_000)
        else { return nil }
        guard let fit = request.fit, part.width > 0, part.height > 0 else { return nil }
        let page = book.pages[place.page - 1]
        let (across, down) = (Double(fit.width), Double(fit.width) * page.height / max(page.width, 1))
        request.clip = ClipBox(
            x: part.x * across, y: part.y * down, width: part.width * across, height: part.height * down)
        request.keepsContent = false
        request.identifier += " part"
        return request
    }

    private func request(
        for place: PagePlan.Place, of book: PageBook, width: Double, _ variant: PageVariant, _ sizing: Sizing,
        most: Double = mostSide
    ) -> DocumentPage? {
        let page = book.pages[place.page - 1]
        guard page.width > 0, page.height > 0, page.width.isFinite, page.height.isFinite else { return nil }
        let longest = most / max(1, sizing.deviceScale)
        let width = min(width, longest, longest * page.width / page.height)
        // Only the width of the box matters: it is exact, and the box is higher than the page.
        let fit = FitBox(
            width: max(1, Int(width.rounded())),
            height: max(1, Int((width * page.height / page.width).rounded(.up)) + 2))
        var request = DocumentPage(
            book.document, page: place.page, fit: fit, variant: variant, identifier: book.identifier(ofPage: place.page)
        )
        request.scale = sizing.deviceScale
        request.password = book.password
        request.annotations = book.annotations[place.page]
        request.keepsContent = true
        return request
    }
}
