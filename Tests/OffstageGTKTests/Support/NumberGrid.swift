import CGTK
import COffstageGTK
import CTestEvents
import Foundation
import Offstage
import OffstageLists
import XCTest

@testable import OffstageGTK

/// Cells with one number each.
@MainActor
final class NumberCells: GridSource {
    /// The numbers, in the cells' order.
    var numbers: [Int]
    var sections: [GridSection] = []
    var version: (Int) -> Int = { _ in 0 }
    /// The size of a number's picture in CSS px; nil to fill the box.
    var size: (Int) -> PixelSize? = { _ in nil }
    var label: (Int) -> String? = { "Number \($0)" }
    var file: (Int) -> URL? = { _ in nil }

    init(_ count: Int) { numbers = Array(0..<count) }

    var rowCount: Int { numbers.count }
    func identifier(at cell: Int) -> String { "row/\(numbers[cell])" }
    func label(at cell: Int) -> String? { label(numbers[cell]) }
    func file(at cell: Int) -> URL? { file(numbers[cell]) }
    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? { nil }

    func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)? {
        let number = numbers[cell]
        let size = size(number) ?? PixelSize(width: width, height: height)
        return NumberRow(
            number: number, width: size.width, scale: scale, height: size.height, version: version(number))
    }
}

/// A window with a grid of numbers in it, on the host's display.
@MainActor
final class NumberGrid: HostBench {
    let engine: NumberEngine
    let renderer: Renderer
    let source: NumberCells
    var grid: PictureGrid!
    let window: UnsafeMutablePointer<GtkWidget>

    /// Cells of 100 × 75 px, four per line, without labels unless the options say otherwise.
    init(
        cells: Int = 1_000, engine: NumberEngine = NumberEngine(), options: GridOptions = NumberGrid.options(),
        width: Int = 500, height: Int = 400, keeps: Bool = true, store: PictureStore? = nil, source: NumberCells? = nil
    ) {
        HostDisplay.start()
        self.engine = engine
        var configuration = RendererConfiguration()
        if keeps { configuration.memory = CachedPictures.cache() }
        configuration.store = store
        renderer = Renderer(engine: engine, configuration: configuration)
        self.source = source ?? NumberCells(cells)
        grid = PictureGrid(renderer: renderer, source: self.source, options: options)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), Int32(width), Int32(height))
        gtk_container_add(cast(window), grid.widget)
        // The test itself must choose the pointer's position.
        test_pointer_move(999, 799)
        gtk_widget_show_all(window)
        // Without cells, a test of "all visible cells" would always succeed.
        pump { gtk_widget_get_mapped(self.canvas.inner) != 0 && !self.grid.visibleCells.isEmpty }
    }

    static func options(_ change: (inout GridOptions) -> Void = { _ in }) -> GridOptions {
        var options = GridOptions()
        options.cellSize = PixelSize(width: 100, height: 75)
        options.showsLabels = false
        change(&options)
        return options
    }

    var canvas: Canvas { grid.canvas }
    var pointer: ItemPointer { grid.pointer }
    var adjustment: UnsafeMutablePointer<GtkAdjustment> { canvas.adjustment }
    var value: Double { gtk_adjustment_get_value(adjustment) }

    func close() {
        if grid.canvas.isThere { gtk_widget_destroy(window) }
        grid = nil
    }

    /// Whether every visible cell shows its full picture at the current size and nothing scrolls.
    var isComplete: Bool {
        !grid.isScrolling && !grid.updates.isDue && !grid.updates.isLookDue && grid.parts.resizeTimer == nil
            && grid.visibleCells.allSatisfy {
                guard let picture = grid.slots[$0]?.picture else { return false }
                return picture.quality == .full && picture.asked == grid.sizing
            }
    }

    func pumpUntilComplete(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssert(pump { isComplete }, "the cells in sight are not complete: \(state)", file: file, line: line)
        // Some drawings may have started before the last picture arrived.
        pump(frames: 2, of: inner)
    }

    private var state: String {
        let missing = grid.visibleCells.filter { grid.slots[$0]?.picture?.quality != .full }
        let resizes = grid.parts.resizeTimer != nil
        return "scrolls \(grid.isScrolling), dirty \(grid.updates.isDue), resizes \(resizes), suspended "
            + "\(renderer.isSuspended), of \(grid.visibleCells.count) cells \(missing.count) are missing, "
            + "and \(missing.count { grid.slots[$0]?.isAsked == true }) of those are asked for"
    }

    /// Whether a cell's thumbnail in the current size is in memory. It is made in the background after the picture is
    /// shown.
    func hasThumbnail(_ cell: Int) -> Bool {
        let box = grid.layout.pictureBox(of: cell)
        return source.request(at: cell, width: box.width, height: box.height, scale: 1)
            .flatMap { renderer.thumbnailAtOnce(for: $0, fittingInto: grid.options.thumbnail!) } != nil
    }

    /// A cell's box on the screen.
    func box(of cell: Int) -> ItemBox { moved(grid.layout.box(of: cell)) }

    /// The box of a cell's picture on the screen.
    func pictureBox(of cell: Int) -> ItemBox { moved(grid.layout.pictureBox(of: cell)) }

    private func moved(_ box: ItemBox) -> ItemBox {
        ItemBox(x: box.x, y: box.y + Int(grid.viewport.screen(0).rounded()), width: box.width, height: box.height)
    }

    /// Clicks in the middle of a cell while keys are held.
    func click(cell: Int, holding keys: [Int32] = [], times: Int = 1) {
        let box = box(of: cell)
        move(box.x + box.width / 2, box.y + box.height / 2)
        for key in keys { test_key(gulong(key), 1) }
        for _ in 0..<times {
            test_button(1, 1)
            test_button(1, 0)
        }
        for key in keys { test_key(gulong(key), 0) }
        settle()
    }

    func press(_ key: Int32, holding keys: [Int32]) {
        for key in keys { test_key(gulong(key), 1) }
        press(key)
        for key in keys { test_key(gulong(key), 0) }
        settle()
    }
}
