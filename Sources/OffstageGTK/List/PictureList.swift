import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// A scrollable GTK list with any number of rows. Each row is a picture that a renderer draws.
///
/// The list paints finished pictures and has no widget for a row: visible rows share a few slots. It requests visible
/// rows first, then those that come next in the direction of travel, and cancels requests for rows that have left.
/// Until its picture is ready, a row shows the thumbnail, or else its plain text. Rows are as high as their pictures;
/// if a row above turns out higher than estimated, the visible rows keep their place.
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
        set { select(newValue.flatMap { $0 >= 0 && $0 < heights.count ? $0 : nil }) }
    }

    /// The magnification of rows, 0.25 to 4. At 2, half as many CSS px fit into the list's width. A picture has at most
    /// 3 device px per CSS px. Default 1.
    public var zoom = 1.0 {
        didSet {
            zoom = min(max(zoom, 0.25), 4)
            if zoom != oldValue { zoomChanged() }
        }
    }

    /// Called when the user or the program changes the selection.
    public var onSelect: ((Int?) -> Void)?
    /// Called for a double click on a row, and for Return.
    public var onActivate: ((Int) -> Void)?
    /// Called for a click on a link, with the row and the link's target as written in the source. The list opens
    /// nothing by itself.
    public var onLink: ((_ row: Int, _ target: String) -> Void)?
    /// Called each time that a row's picture cannot be drawn. The row then shows its plain text.
    public var onFailure: ((_ row: Int, _ error: RenderError) -> Void)?
    /// Called when a live row becomes a picture again and the user did not ask for it: its process ended or hung, took
    /// too much memory, or never showed the row.
    public var onLiveEnd: ((_ row: Int, _ reason: LiveEnd) -> Void)?
    /// Called when scrolling begins and when it ends.
    public var onScrolling: ((Bool) -> Void)?

    /// True while the list scrolls, including kinetic scrolling and animations.
    public var isScrolling: Bool { suspender?.isScrolling ?? false }

    // MARK: Parts

    /// The widget to put into a window: a `GtkScrolledWindow`.
    public var widget: UnsafeMutablePointer<GtkWidget> { canvas.outer }

    public let options: ListOptions
    public let renderer: Renderer
    let source: any ListSource
    let canvas = Canvas()
    lazy var style = RowStyle(of: canvas.inner)
    var suspender: ScrollSuspender?
    var prefetcher: Prefetcher?
    /// One provider for each type of request whose rows can be live.
    let liveRowProviders: [any LiveRowProvider]

    // MARK: Layout

    var heights: RowHeights
    var slotTable = RowSlots()
    var slots: [Slot] = []
    var window = ListWindow()
    /// The edge that keeps its place when heights change.
    var anchor: Anchor?
    /// The adjustment's value at which the list begins. It differs from 0 while the list scrolls and heights above have
    /// changed: GTK's kinetic scrolling continues from values that it knows, so they must not change meanwhile.
    var origin = 0
    var lastValue = 0.0
    /// True if rows or heights have changed since slots were last assigned.
    var isDirty = true
    /// True if rows passed too fast to be requested.
    var isLookDue = false
    /// True while the list itself sets the adjustment's value.
    var isPlacing = false
    /// The width at which pictures are requested, CSS px; 0 before the widget has a size.
    var pictureWidth = 0
    var pictureScale = 1.0
    var resizeTimer: LoopTimer?
    /// The rows passed to the prefetcher, by identifier.
    var rowsAhead: [String: Int] = [:]
    var visits = 0
    /// Prepares rows of the source that come next.
    var readying: Task<Void, Never>?

    // MARK: Selection and pointer

    var selectedRow: Int?
    var hoveredRow: Int?
    var pointer: (x: Double, y: Double)?
    var pressedLink: (row: Int, target: String)?
    var liveRows: [LiveEntry] = []

    /// Makes a list of pictures, of any types of requests for which the renderer has engines.
    ///
    /// - Parameters:
    ///   - renderer: draws the rows' pictures, and caches them according to its configuration.
    ///   - source: retained by the list.
    ///   - options: the appearance of the list, and how far it draws ahead.
    ///   - liveRows: one provider of live rows for each type of request; nil, the default, for web views of snippets if
    ///     the renderer has a `WebEngine`.
    public init(
        renderer: Renderer, source: some ListSource, options: ListOptions = ListOptions(),
        liveRows: [any LiveRowProvider]? = nil
    ) {
        self.renderer = renderer
        self.source = source
        self.options = options
        liveRowProviders = liveRows ?? renderer.engine(WebEngine.self).map { [LiveSnippets(engine: $0)] } ?? []
        heights = RowHeights(count: source.rowCount, estimate: max(1, options.estimatedHeight))
        canvas.owner = self
        prefetcher = Prefetcher(renderer: renderer, group: options.group, thumbnail: options.thumbnail) {
            [weak self] identifier in MainActor.assumeIsolated { self?.requestAhead(identifier) }
        }
        let suspends = options.suspendsWhileScrolling
        let suspender = ScrollSuspender(times: options.suspension) { suspends ? renderer.suspend(for: $0) : nil }
        suspender.attach(to: cast(canvas.outer) as UnsafeMutablePointer<GtkScrolledWindow>)
        suspender.onChange = { [weak self] isScrolling in self?.scrollingChanged(isScrolling) }
        self.suspender = suspender
    }

    isolated deinit { letGo() }

    /// Makes no more requests, and releases all resources.
    func letGo() {
        resizeTimer = nil
        closeLiveRows()
        for change in slotTable.show(0..<0).leaving { slots[change.slot].clear() }
        slots = []
        prefetcher?.stop()
        prefetcher = nil
        readying?.cancel()
        readying = nil
        suspender?.detach()
        suspender = nil
    }
}

/// The edge of a row that keeps its place while heights change.
struct Anchor: Equatable {
    enum Edge { case top, bottom }

    var row: Int
    var edge: Edge
    /// GTK px from the top of the screen down to the row's top, or from the bottom of the screen down to the row's
    /// bottom.
    var distance: Double
}
