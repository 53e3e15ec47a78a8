import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// A scrollable GTK list with any number of rows. Each row is a picture from a renderer.
///
/// The list paints finished pictures and has no widget for a row: visible rows share a few slots. It requests visible
/// rows first, then the next ones in the direction of travel, and cancels requests for rows that have left the screen.
/// Until its picture is ready, a row shows the thumbnail, or else its plain text. Rows are as high as their pictures;
/// if a row above turns out higher than estimated, the visible rows keep their position.
///
/// Keep a reference to the list as long as its widget is shown: the widget is removed with the list. GTK may destroy
/// the widget earlier; the list then makes no more requests and no longer suspends the renderer.
///
///     let list = PictureList(renderer: renderer, source: source)
///     gtk_container_add(window, list.widget)
@MainActor
public final class PictureList {
    // MARK: Interaction

    /// The selected row, or nil. Setting it does not scroll.
    public var selection: Int? {
        get { selectedRow }
        set { select(newValue.flatMap { $0 >= 0 && $0 < layout.count ? $0 : nil }) }
    }

    /// The magnification of rows, 0.25 to 4. At 2, half as many CSS px fit into the list's width. A picture has at most
    /// 3 device px per CSS px. Default 1.
    public var zoom = 1.0 {
        didSet {
            zoom = zoom.isNaN ? oldValue : min(max(zoom, 0.25), 4)
            if zoom != oldValue { zoomChanged() }
        }
    }

    /// The name of the list for screen readers, such as the text of a heading above it. Default "Pictures".
    public var accessibleName = "Pictures" {
        didSet { accessible.setName(accessibleName) }
    }

    /// Called when the user or the program changes the selection.
    public var onSelect: ((Int?) -> Void)?
    /// Called for a double click on a row, and for Return.
    public var onActivate: ((Int) -> Void)?
    /// Called for a click on a link, with the row and the link's target as written in the source. The list itself does
    /// not open links.
    public var onLink: ((_ row: Int, _ target: String) -> Void)?
    /// Called each time a row's picture cannot be drawn. The row then shows its plain text.
    public var onFailure: ((_ row: Int, _ error: RenderError) -> Void)?
    /// Called when a live row becomes a picture again without the user's request: its web process ended or hung, used
    /// too much memory, or never showed the row.
    public var onLiveEnd: ((_ row: Int, _ reason: LiveEnd) -> Void)?
    /// Called when scrolling begins and when it ends.
    public var onScrolling: ((Bool) -> Void)?

    /// True while the list scrolls, including kinetic scrolling and animations.
    public var isScrolling: Bool { viewport.suspender.isScrolling }

    // MARK: Parts

    /// The widget to put into a window: a `GtkScrolledWindow`.
    public var widget: UnsafeMutablePointer<GtkWidget> { parts.canvas.outer }

    public let options: ListOptions
    public var renderer: Renderer { parts.renderer }
    let parts: ItemParts
    let live: LiveItems
    let painter: RowPainter

    // MARK: State

    var layout: RowLayout
    var selectedRow: Int?
    /// Makes rows live if their pictures are missing.
    var missingTimer: LoopTimer?

    /// Makes a list of pictures, of any types of requests for which the renderer has engines.
    ///
    /// - Parameters:
    ///   - renderer: draws the rows' pictures, and caches them according to its configuration.
    ///   - source: retained by the list.
    ///   - options: the appearance and behaviour of the list.
    ///   - liveRows: one provider of live rows for each type of request, such as `LiveWaveforms`, or `LiveSnippets` of
    ///     OffstageGTKLive. Default none.
    public init(
        renderer: Renderer, source: some ListSource, options: ListOptions = ListOptions(),
        liveRows: [any LiveRowProvider] = []
    ) {
        self.options = options
        layout = RowLayout(count: source.rowCount, options: options)
        parts = ItemParts(renderer: renderer, source: source, options: options.items)
        live = LiveItems(
            parts.canvas, source: source, providers: liveRows, limit: options.liveLimit)
        painter = RowPainter(parts.canvas, source: source)
        parts.connect(to: self)
        live.owner = self
        accessible.setName(accessibleName)
    }

    isolated deinit { letGo() }

    /// Makes no more requests, and releases all resources.
    func letGo() {
        missingTimer = nil
        live.closeAll()
        parts.close()
    }
}
