import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageLists

/// A scrollable GTK grid with any number of cells of equal size, in sections with headings. Each cell shows a picture
/// from a renderer, and a label.
///
/// Like `PictureList`, the grid paints finished pictures and has no widget for a cell. It requests visible cells first,
/// then the next ones, and cancels requests for cells that have left the screen. Until its picture is ready, a cell
/// shows the thumbnail.
///
/// Keep a reference to the grid as long as its widget is shown: the widget is removed with the grid. GTK may destroy
/// the widget earlier; the grid then makes no more requests and no longer suspends the renderer.
///
///     let grid = PictureGrid(renderer: renderer, source: source)
///     gtk_container_add(window, grid.widget)
@MainActor
public final class PictureGrid {
    // MARK: Interaction

    /// The selected cells. Setting it does not scroll. Cells that do not exist are left out.
    public var selection: IndexSet {
        get { cells.items }
        set { changeSelection { $0.set(newValue.intersection(IndexSet(integersIn: 0..<layout.count))) } }
    }

    /// The cell that has the keyboard's focus within the grid; nil before the user or the program has chosen one.
    public var cursor: Int? { cells.cursor }

    /// The magnification of cells, 0.25 to 4. A picture has at most 3 device px per CSS px. While cells are drawn at a new size, they
    /// show the old pictures, stretched. Default 1.
    public var zoom = 1.0 {
        didSet {
            zoom = zoom.isNaN ? oldValue : min(max(zoom, 0.25), 4)
            if zoom != oldValue { zoomChanged() }
        }
    }

    /// The name of the grid for screen readers, such as the text of a heading above it. Default "Pictures".
    public var accessibleName = "Pictures" {
        didSet { parts.accessible.setName(accessibleName) }
    }

    /// Called when the user or the program changes the selection.
    public var onSelect: ((IndexSet) -> Void)?
    /// Called for a double click on a cell, and for Return.
    public var onActivate: ((Int) -> Void)?
    /// Called each time a cell's picture cannot be drawn. The cell then shows only its label.
    public var onFailure: ((_ cell: Int, _ error: RenderError) -> Void)?
    /// Called when scrolling begins and when it ends.
    public var onScrolling: ((Bool) -> Void)?
    /// Called when the user or the program changes the zoom.
    public var onZoom: ((Double) -> Void)?

    /// True while the grid scrolls, including kinetic scrolling and animations.
    public var isScrolling: Bool { viewport.suspender.isScrolling }

    // MARK: Parts

    /// The widget to put into a window: a `GtkScrolledWindow`.
    public var widget: UnsafeMutablePointer<GtkWidget> { parts.canvas.outer }

    public let options: GridOptions
    public var renderer: Renderer { parts.renderer }
    let parts: ItemParts
    let gridSource: any GridSource
    let painter: GridPainter

    // MARK: State

    var layout: GridLayout
    var sections: [GridSection]
    var cells: ItemSelection
    /// The action of the pointer while its button is down.
    var gesture = GridGesture.none
    /// Scrolls while a rectangle is drawn beyond the edge of the screen.
    var bandTimer: LoopTimer?
    var typed = TypeAhead()
    /// Steps of the wheel that do not yet add up to a step of the zoom.
    var wheelRest = 0.0
    /// The sizes at which pictures were requested before, the latest first.
    var otherSizings: [PictureSizing] = []
    var lineHeight: Int

    /// Makes a grid of pictures, of any types of requests for which the renderer has engines.
    ///
    /// - Parameters:
    ///   - renderer: draws the cells' pictures, and caches them according to its configuration.
    ///   - source: retained by the grid.
    ///   - options: the appearance and behaviour of the grid.
    public init(renderer: Renderer, source: some GridSource, options: GridOptions = GridOptions()) {
        self.options = options
        gridSource = source
        sections = source.sections
        cells = ItemSelection(options.selection.mode)
        parts = ItemParts(renderer: renderer, source: source, options: options.items)
        painter = GridPainter(parts.canvas, source: source, options: options)
        lineHeight = RowText.lineHeight(on: parts.canvas.inner)
        layout = GridLayout(
            count: source.rowCount, sections: sections.map { ($0.cellCount, $0.title != nil) },
            metrics: options.metrics(zoom: 1, lineHeight: lineHeight))
        parts.connect(to: self)
        parts.accessible.setName(accessibleName)
    }

    isolated deinit { letGo() }

    /// Makes no more requests, and releases all resources.
    func letGo() {
        bandTimer = nil
        parts.close()
    }
}
