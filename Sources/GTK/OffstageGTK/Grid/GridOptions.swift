import Offstage
import OffstageLists

/// Which cells of a grid users can select.
public enum GridSelectionMode: Sendable, Hashable {
    /// None. The keyboard still moves from cell to cell.
    case none
    case single
    /// Any number: with Ctrl and Shift, Ctrl A, or a rectangle drawn from beside a cell. The default.
    case multiple

    var mode: ItemSelection.Mode {
        switch self {
        case .none: .none
        case .single: .single
        case .multiple: .multiple
        }
    }
}

/// The appearance and behaviour of a grid.
public struct GridOptions: Sendable {
    /// The box for a cell's picture at zoom 1, CSS px, each side from 8 to 4,096. Smaller pictures are shown in their
    /// own size, larger ones are scaled down. Default 180 × 135.
    public var cellSize = PixelSize(width: 180, height: 135)
    /// CSS px between cells and at the edges, from 0 to 1,000. Default 8.
    public var spacing = 8
    /// CSS px on each side of a picture, inside its cell, from 0 to 1,000. Default 6.
    public var padding = 6
    /// The minimum number of columns, from 1 to 1,000. In a window too narrow for them, cells shrink. Default 1.
    public var minimumColumns = 1
    /// True to show a cell's label below its picture. Default true.
    public var showsLabels = true

    /// Which cells users can select. Default `.multiple`.
    public var selection = GridSelectionMode.multiple
    /// True to let users drag files out of cells, if the data source provides them. Default true.
    public var dragsFiles = true
    /// True to let users zoom with Ctrl and the wheel, and with Ctrl +, Ctrl − and Ctrl 0. Default true.
    public var zoomsByUser = true

    /// The number of screens that are drawn ahead of the visible cells, in the direction of travel. Default 2.
    public var lookAhead = 2.0
    /// The drawings that may run while the grid scrolls. Default `.governed`.
    public var drawing = DrawingWhileScrolling.governed
    /// The thresholds of `.governed`.
    public var governor = FrameGovernor.Times()
    /// How long nothing must move for the grid to count as being at rest.
    public var suspension = ScrollSuspender.Times()
    /// The time from the last change of the cells' size until the grid requests the cells at the new size. Default 100 ms.
    public var resizeDelay = Duration.milliseconds(100)

    /// The box of a thumbnail, device px. The grid keeps a thumbnail of each picture, and shows it enlarged, in the same frame,
    /// until the full picture is available. It keeps thumbnails if the renderer has a memory cache or a store. Nil for no
    /// thumbnails. Default 96 × 96.
    public var thumbnail: PixelSize? = PixelSize(width: 96, height: 96)
    /// True: a cell shows only the thumbnail, and never decodes the full picture if a thumbnail is cached. Default
    /// false.
    public var showsOnlyThumbnails = false
    /// True: a cell shows an outdated picture until the new one is ready. Default false. After a change of the size,
    /// cells always show the old pictures.
    public var showsStale = false
    /// The group of the grid's requests, to cancel them together. Default nil.
    public var group: String?

    public init() {}
}

extension GridOptions {
    var items: ItemOptions {
        ItemOptions(
            lookAhead: lookAhead, drawing: drawing, governor: governor, suspension: suspension,
            resizeDelay: resizeDelay, thumbnail: thumbnail, showsStale: showsStale, group: group,
            showsOnlyThumbnails: showsOnlyThumbnails)
    }

    /// The sizes of the cells, GTK px.
    ///
    /// - Parameters:
    ///   - zoom: GTK px per CSS px.
    ///   - lineHeight: the height of a line of text.
    func metrics(zoom: Double, lineHeight: Int) -> GridLayout.Metrics {
        func side(_ size: Int) -> Int { Int((Double(min(max(size, 8), 4_096)) * zoom).rounded()) }
        var metrics = GridLayout.Metrics(pictureWidth: side(cellSize.width), pictureHeight: side(cellSize.height))
        metrics.spacing = min(max(spacing, 0), 1_000)
        metrics.padding = min(max(padding, 0), 1_000)
        metrics.minimumColumns = min(max(minimumColumns, 1), 1_000)
        metrics.labelHeight = showsLabels ? lineHeight + 4 : 0
        metrics.headingHeight = lineHeight * 2 + 8
        return metrics
    }
}
