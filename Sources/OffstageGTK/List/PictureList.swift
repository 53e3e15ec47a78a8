import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// A scrollable list for GTK, of any number of rows, each a picture that a renderer draws.
///
/// It paints finished pictures and has no widget for a row: rows in sight share a few slots. What is in sight is asked
/// for first, what comes next in the direction of travel after it, and what has left is withdrawn. A row whose picture
/// is not there yet shows what there is: the thumbnail, else its plain text. Rows are as high as their pictures; where
/// one above turns out higher than was thought, what the user looks at stays where it is.
///
/// Keep the list as long as its widget is to be shown: with the list the widget goes. GTK may destroy the widget before
/// that; the list then asks for nothing more and holds nothing up.
///
///     let list = PictureList(renderer: renderer, source: source)
///     gtk_container_add(window, list.widget)
@MainActor
public final class PictureList {
    // MARK: What the user does

    /// The row that is selected; nil for none. Setting it scrolls nowhere.
    public var selection: Int? {
        get { selectedRow }
        set { select(newValue.flatMap { $0 >= 0 && $0 < heights.count ? $0 : nil }) }
    }

    /// How much larger rows are drawn than they are written, 0.25 to 4: at 2 half as many CSS px go into the list's width. Default 1.
    /// A picture has 3 device px to a CSS px at most.
    public var zoom = 1.0 {
        didSet {
            zoom = min(max(zoom, 0.25), 4)
            if zoom != oldValue { zoomChanged() }
        }
    }

    /// Called when the selection changes, by the user or the program.
    public var onSelect: ((Int?) -> Void)?
    /// Called for a double click on a row, and for Return.
    public var onActivate: ((Int) -> Void)?
    /// Called for a click on a link: the row, and where the link leads, as the source has it. Nothing is opened by
    /// itself.
    public var onLink: ((_ row: Int, _ target: String) -> Void)?
    /// Called for a row whose picture could not be drawn, each time; its plain text stands in.
    public var onFailure: ((_ row: Int, _ error: RenderError) -> Void)?
    /// Called for a live row that is its picture again, against the user's wish: its process ended or hung, took too much
    /// memory, or never showed the row.
    public var onLiveEnd: ((_ row: Int, _ reason: LiveEnd) -> Void)?
    /// Called when scrolling begins and when it has ended.
    public var onScrolling: ((Bool) -> Void)?

    /// True while the list scrolls, be it by itself.
    public var isScrolling: Bool { suspender?.isScrolling ?? false }

    // MARK: Its parts

    /// To put into a window: a `GtkScrolledWindow`.
    public var widget: UnsafeMutablePointer<GtkWidget> { canvas.outer }

    public let options: ListOptions
    public let renderer: Renderer
    let source: any ListSource
    let canvas = Canvas()
    lazy var style = RowStyle(of: canvas.inner)
    var suspender: ScrollSuspender?
    var prefetcher: Prefetcher?
    /// One for each type of request whose rows can be live.
    let liveRowProviders: [any LiveRowProvider]

    // MARK: Where things are

    var heights: RowHeights
    var slotTable = RowSlots()
    var slots: [Slot] = []
    var window = ListWindow()
    /// What stays where it is when heights change.
    var anchor: Anchor?
    /// Where the list begins, in the adjustment's values. Not 0 while it scrolls and rows above have changed: GTK's
    /// kinetic scrolling goes on from values that it knows, so these must not change under it.
    var origin = 0
    var lastValue = 0.0
    /// Rows have come and gone, or heights have changed, since slots were given.
    var isDirty = true
    /// Rows went by too fast to be asked for.
    var isLookDue = false
    /// The value is set by the list itself.
    var isPlacing = false
    /// CSS px that pictures are asked for at; 0 before the widget has a size.
    var pictureWidth = 0
    var pictureScale = 1.0
    var resizeTimer: LoopTimer?
    /// Rows by identifier that the prefetcher is asked for.
    var rowsAhead: [String: Int] = [:]
    var visits = 0
    /// Readies the source for rows that come next.
    var readying: Task<Void, Never>?

    // MARK: What the user points at

    var selectedRow: Int?
    var hoveredRow: Int?
    var pointer: (x: Double, y: Double)?
    var pressedLink: (row: Int, target: String)?
    var liveRows: [LiveEntry] = []

    /// A list of pictures, of any types of requests that the renderer has engines for.
    ///
    /// - Parameters:
    ///   - renderer: draws the rows' pictures, and caches them as it is configured to.
    ///   - source: retained by the list.
    ///   - options: how the list looks and how far it looks ahead.
    ///   - liveRows: makes live rows, one provider for each type of request; nil, the default, for web views of snippets if the
    ///     renderer has a `WebEngine`.
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

    /// Asks for nothing more, and gives back what it holds.
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

/// What a list holds in its place while heights change: an edge of a row.
struct Anchor: Equatable {
    enum Edge { case top, bottom }

    var row: Int
    var edge: Edge
    /// Px: of the row's top below the screen's, or of the row's bottom below the screen's.
    var distance: Double
}
