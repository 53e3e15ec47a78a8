import CGTK
import Offstage
import OffstageGLib
import OffstageInk
import OffstagePages

/// A GTK widget in which a reader turns the pages of PDF documents.
///
/// It draws ahead: the next pages are in memory when the reader turns to them. A page whose picture is missing shows its thumbnail,
/// enlarged, and otherwise empty paper; it never shows another page's picture. An enlarged page is stretched at once, and its visible part
/// is then drawn sharp.
///
/// Keep a reference to the view as long as its widget is shown.
///
///     let view = PageView(renderer: renderer, books: [PageBook(document, identifier: "score", pages: info.pages)])
///     gtk_container_add(window, view.widget)
@MainActor
public final class PageView {
    // MARK: The reader's position

    /// The reader's position.
    public internal(set) var position = PagePosition()
    /// The visible pages of the document, from 1; nil if no page is visible.
    public var visiblePages: ClosedRange<Int>? { isEmpty ? nil : movement.visible(position) }
    /// One page at a time, or two side by side. Default one.
    public var spread: PageSpread {
        get { requests.sizing.spread }
        set { changeSizing { $0.spread = newValue } }
    }
    /// The scale before the reader zooms. Default `.fitPage`.
    public var scaling: PageScaling {
        get { requests.sizing.scaling }
        set { changeSizing { $0.scaling = newValue } }
    }
    /// True: each turn advances by half a page: first the upper half of the next page appears above the lower half of
    /// this one. Only for single pages. Default false.
    public var turnsHalves = false {
        didSet { if turnsHalves != oldValue { show(position) } }
    }
    /// The enlargement, 0.25 to 8, relative to `scaling`. Default 1.
    public var zoom: Double {
        get { layout.zoom }
        set { setZoom(newValue, atX: layout.window.width / 2, y: layout.window.height / 2) }
    }

    // MARK: Appearance

    /// With or without annotations. Default `.annotated`; `.thumbnail` is shown as `.annotated`.
    public var variant: PageVariant {
        get { requests.sizing.variant }
        set { changeSizing { $0.variant = newValue == .plain ? .plain : .annotated } }
    }
    /// True to cut off the empty margins of pages. Default false.
    public var cropsMargins = false {
        didSet { if cropsMargins != oldValue { cropChanged() } }
    }
    /// True for a dark room: lightness is inverted, and colours keep their hue. Default false.
    public var isDark = false {
        didSet { if isDark != oldValue { darkChanged() } }
    }
    /// True to fill the screen with the widget's window. Default false.
    public var isFullScreen = false {
        didSet { if isFullScreen != oldValue { fullScreenChanged() } }
    }
    /// The name of the view for screen readers. Default "Pages".
    public var accessibleName = "Pages" {
        didSet { accessible.setName(accessibleName) }
    }

    // MARK: Annotations

    /// Annotations that are not in the documents, such as those of an `AnnotationFile`, in the order in which they are drawn, above the
    /// document's own. They are hidden with `.plain`.
    public var annotations: [PagePlan.Place: [PageAnnotation]] = [:] {
        didSet { canvas.queueDraw() }
    }
    /// The pen with which the reader draws; nil to turn pages and select text with the pointer. Default nil.
    public var pen: PagePen? { didSet { if pen != oldValue { penChanged() } } }
    /// Called with each line that the reader has drawn. Add it to the annotations of the book before the call returns, and store it: the
    /// view shows the line until the page's picture has it, and no drawings start while the pen is down. Nil, the default: lines vanish.
    public var onInk: ((_ place: PagePlan.Place, _ ink: PageAnnotation) -> Void)?
    /// Ink over the pages: a canvas over `focusWidget`, whose page 0 is page 1 of the document that is shown. The view
    /// sets the positions of the pages. Replace the canvas when another document is shown. Default nil.
    public var ink: InkCanvas? {
        didSet {
            if oldValue !== ink { oldValue?.detach() }
            placeInk()
        }
    }
    /// Called in each frame for each visible page, after everything else on the page is painted: for ink that is being
    /// drawn. `context` is a cairo context of GTK px, clipped to the visible part of the page; the box is that of the
    /// whole page.
    public var onPaintPage:
        (
            (
                _ context: OpaquePointer, _ place: PagePlan.Place,
                _ box: (x: Double, y: Double, width: Double, height: Double)
            )
                -> Void
        )?

    // MARK: Calls

    /// Called after each turn, jump, or change of the visible pages.
    public var onTurn: ((PagePosition) -> Void)?
    /// Called when the reader turns beyond the first (-1) or last (1) page.
    public var onEnd: ((_ direction: Int) -> Void)?
    /// Called for a click on a link that leads out of the document. The target is untrusted: check its scheme, and
    /// ideally ask the user.
    public var onLink: ((_ target: String) -> Void)?
    /// Called when the reader changes the zoom.
    public var onZoom: ((Double) -> Void)?
    /// Called when the selected text changes.
    public var onSelect: ((String) -> Void)?
    /// Called each time a page cannot be drawn. The page then shows its number.
    public var onFailure: ((_ place: PagePlan.Place, _ error: RenderError) -> Void)?

    // MARK: Parts

    /// The widget to put into a window.
    public var widget: UnsafeMutablePointer<GtkWidget> { canvas.outer }
    /// The widget that has the keyboard's focus while the reader turns pages.
    public var focusWidget: UnsafeMutablePointer<GtkWidget> { canvas.inner }
    public let renderer: Renderer
    public let options: PageViewOptions
    let canvas = Canvas()
    let requests: PageRequests
    let turner: PageTurner
    let engine: PageEngine?
    let accessible: AccessibleRows
    let rows: PageRows
    let gestures: PageGestures
    var pages: [PagePlan.Place: PageCell] = [:]
    /// The pages, least recently used first.
    var order: [PagePlan.Place] = []
    var layout = PageLayout(width: 1, height: 1)
    var travel = Travel.forward
    /// The document whose pages have been laid out: `accessible` has its rows.
    var accessibleDocument = -1
    var sharpenTimer: LoopTimer?
    var resizeTimer: LoopTimer?
    var input = PageInput()
    var selection: PageSelection?
    /// The canvas on which the pen draws, its document, and the suspension while the pen is down.
    var penCanvas: InkCanvas?
    var penDocument = 0
    var penLease: SuspensionLease?
    /// Lines that are not in any picture yet.
    var freshInk: [PagePlan.Place: [PageAnnotation]] = [:]
    var search = PageSearch()
    var isOpen = true
    /// True while the host shows a list of the documents instead of their pages.
    var isResting = false
    /// The pages and pictures of the last frame.
    public internal(set) var shown: [ShownPage] = []

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - renderer: draws the pages, and caches them according to its configuration; it needs a memory cache. Its engines include a
    ///     `PageEngine`.
    ///   - books: the documents, in the reader's order.
    ///   - options: the behaviour.
    public init(renderer: Renderer, books: [PageBook], options: PageViewOptions = PageViewOptions()) {
        (self.renderer, self.options) = (renderer, options)
        requests = PageRequests(books)
        requests.sizing.gap = Double(min(max(options.gap, 0), 100))
        var reach = options.reach
        reach.crossesDocuments = options.crossesDocuments
        turner = PageTurner(
            renderer: renderer, pageCounts: books.map(\.pages.count), thumbnail: options.thumbnail,
            reach: reach
        ) { [requests] place, variant in requests.request(for: place, variant == .thumbnail ? nil : variant) }
        engine = renderer.engine()
        accessible = AccessibleRows(canvas)
        rows = PageRows()
        gestures = PageGestures(canvas)
        gtk_scrolled_window_set_policy(cast(canvas.outer), GTK_POLICY_NEVER, GTK_POLICY_NEVER)
        gtk_scrolled_window_set_kinetic_scrolling(cast(canvas.outer), 0)
        canvas.owner = self
        accessible.owner = self
        gestures.view = self
        rows.view = self
        accessible.setName(accessibleName)
        if let first = movement.clamped(position) { position = first }
    }

    isolated deinit { letGo() }

    /// Makes no more requests, and releases all resources.
    func letGo() {
        isOpen = false
        penCanvas?.detach()
        (penCanvas, penLease) = (nil, nil)
        (sharpenTimer, resizeTimer) = (nil, nil)
        search.task?.cancel()
        turner.stop()
        for cell in pages.values { cell.withdraw() }
        pages = [:]
        gestures.end()
        accessible.close()
    }

    var isEmpty: Bool { requests.pages(position.page...position.page, of: position.document).isEmpty }

    var movement: PageMovement {
        PageMovement(
            pageCounts: turner.pageCounts, spread: spread, turnsHalves: turnsHalves,
            crossesDocuments: options.crossesDocuments)
    }
}

/// A page in the last frame.
public struct ShownPage: Sendable, Hashable {
    /// The picture that a page shows; the best is last.
    public enum Quality: Int, Sendable, Hashable, Comparable {
        /// Empty paper.
        case blank
        /// The thumbnail, enlarged.
        case thumbnail
        /// The page's picture of another size, stretched.
        case stretched
        /// The page's picture in its size.
        case full

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var place: PagePlan.Place
    public var quality: Quality
    /// The name of the picture in the cache; empty for a blank page.
    public var identifier: String
}
