import CGTK
import Offstage
import OffstagePages

/// A strip of thumbnails beside a page view. A click on a thumbnail shows its page; the strip marks the visible page, and follows it.
///
/// A thumbnail is scaled from the page's picture, so that no page is drawn twice.
///
///     let strip = PageStrip(of: view)
///     gtk_box_pack_start(box, strip.widget, 0, 0, 0)
@MainActor
public final class PageStrip {
    /// The widget to put into a window.
    public var widget: UnsafeMutablePointer<GtkWidget> { grid.widget }
    let grid: PictureGrid
    private let cells: StripCells
    private let view: PageView
    private var isFollowing = false

    /// Makes a strip.
    ///
    /// - Parameters:
    ///   - view: the view, which is retained. The strip does not set its `onTurn`: call `follow` from your handler.
    ///   - width: the width of a thumbnail's box, GTK px. Default 120.
    public init(of view: PageView, width: Int = 120) {
        self.view = view
        cells = StripCells(view)
        var options = GridOptions()
        options.cellSize = PixelSize(width: width, height: width * 4 / 3)
        options.selection = .single
        options.dragsFiles = false
        options.zoomsByUser = false
        options.thumbnail = view.options.thumbnail
        options.showsOnlyThumbnails = true
        options.lookAhead = 0
        grid = PictureGrid(renderer: view.renderer, source: cells, options: options)
        grid.accessibleName = "Thumbnails"
        gtk_widget_set_size_request(grid.widget, Int32(width + 28), -1)
        grid.onSelect = { [weak self] selected in
            guard let self, !isFollowing, let cell = selected.first else { return }
            self.view.show(page: cell + 1)
        }
        follow()
    }

    /// Marks the view's page, and shows annotations that have changed. Call it after each turn, and after a change of the view's books.
    public func follow() {
        isFollowing = true
        defer { isFollowing = false }
        if cells.update() { grid.reload() } else { for cell in cells.changedCells() { grid.reload(cell: cell) } }
        guard let page = view.visiblePages?.lowerBound else { return }
        if grid.selection != [page - 1] { grid.selection = [page - 1] }
        grid.scroll(to: page - 1)
    }
}

/// The pages of the view's document.
@MainActor
private final class StripCells: GridSource {
    private weak var view: PageView?
    private var document = -1
    private(set) var rowCount = 0
    /// The annotations of pages whose cells have pictures.
    private var annotations: [Int: PageAnnotations] = [:]

    init(_ view: PageView) {
        self.view = view
        update()
    }

    /// - Returns: true if the cells have changed.
    @discardableResult
    func update() -> Bool {
        guard let view else { return false }
        let count = view.requests.book(view.position.document)?.pages.count ?? 0
        if document == view.position.document, rowCount == count { return false }
        (document, rowCount) = (view.position.document, count)
        annotations = view.requests.book(document)?.annotations ?? [:]
        return true
    }

    /// The cells of pages whose annotations have changed since the last call.
    func changedCells() -> [Int] {
        let new = view?.requests.book(document)?.annotations ?? [:]
        let pages = Set(new.keys).union(annotations.keys).filter { new[$0] !== annotations[$0] }
        annotations = new
        return pages.map { $0 - 1 }.filter { (0..<rowCount).contains($0) }.sorted()
    }

    func identifier(at cell: Int) -> String { view?.requests.book(document)?.identifier(ofPage: cell + 1) ?? "" }
    func label(at cell: Int) -> String? { view?.requests.book(document)?.label(ofPage: cell + 1) }
    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? { nil }

    /// The request for the whole page, as the view makes it. The grid shows its thumbnail.
    func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)? {
        view?.requests.request(for: PagePlan.Place(document: document, page: cell + 1))
    }
}
