import CGTK
import Offstage
import OffstageGTK

/// The functions of a list or a grid that the window uses.
@MainActor
protocol BrowseView: AnyObject {
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The selected item, or the first of several.
    var chosen: Int? { get set }
    var visible: Range<Int> { get }
    var itemCount: Int { get }
    var zoom: Double { get set }
    var onScrolling: ((Bool) -> Void)? { get set }
    var onFailure: ((_ item: Int, _ error: RenderError) -> Void)? { get set }
    func scroll(to item: Int, _ place: RowPlace)
    func content(of item: Int) -> RowContent
    /// A request for an item's picture, as the view makes it.
    func request(at item: Int) -> (any DrawingRequest)?
    /// The box of thumbnails, device px.
    var thumbnail: PixelSize? { get }
    func reload()
    func reload(item: Int)
}

extension PictureList: BrowseView {
    var chosen: Int? {
        get { selection }
        set { selection = newValue }
    }

    var visible: Range<Int> { visibleRows }

    var itemCount: Int { rowCount }

    var thumbnail: PixelSize? { options.thumbnail }

    func reload(item: Int) { reload(row: item) }
}

extension PictureGrid: BrowseView {
    var chosen: Int? {
        get { selection.first }
        set { selection = newValue.map { [$0] } ?? [] }
    }

    var visible: Range<Int> { visibleCells }

    var itemCount: Int { cellCount }

    var thumbnail: PixelSize? { options.thumbnail }

    func reload(item: Int) { reload(cell: item) }
}
