import CGTK
import CTestEvents
import Offstage
import OffstageGTKLive
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// HTML rows that alternate with number rows.
@MainActor
private final class MixedRows: ListSource {
    let rowCount = 200
    /// Rows whose content must be fetched first.
    var unready: Set<Int> = []

    func identifier(at row: Int) -> String { "row/\(row)" }

    func isReady(at row: Int) -> Bool { !unready.contains(row) }
    func makeReady(at row: Int) async { unready.remove(row) }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        if row.isMultiple(of: 2) { return NumberRow(number: row, width: width, scale: scale, height: 40) }
        var snippet = Snippets.plain(row)
        snippet.identifier = identifier(at: row)
        snippet.geometry.width = width
        snippet.geometry.scale = scale
        return snippet
    }
}

/// A list with rows of several types: one renderer, one queue, one suspension.
final class MixedListTests: XCTestCase {
    func testRowsOfTwoTypes() {
        onMain {
            HostDisplay.start()
            var configuration = RendererConfiguration()
            configuration.memory = CachedPictures.cache()
            let numbers = NumberEngine()
            let renderer = Renderer(engines: [numbers, SnippetBench.engine], configuration: configuration)
            let list = PictureList(renderer: renderer, source: MixedRows(), liveRows: renderer.liveSnippets)
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            gtk_window_set_default_size(cast(window), 400, 500)
            gtk_container_add(cast(window), list.widget)
            gtk_widget_show_all(window)
            @MainActor func isComplete() -> Bool {
                !list.updates.isDue && !list.updates.isLookDue && list.slots.window.visible.count > 3
                    && list.slots.window.visible.allSatisfy { list.slots[$0]?.picture?.quality == .full }
            }
            XCTAssert(pump(seconds: 60) { isComplete() }, "the rows in sight are not complete")
            XCTAssertEqual(list.slots[0]?.picture?.image.size.height, Int(40 * list.sizing.scale))
            XCTAssertEqual(list.slots[2]?.picture?.image.size.height, Int(40 * list.sizing.scale))
            XCTAssertGreaterThan(list.slots[1]?.picture?.image.size.height ?? 0, Int(40 * list.sizing.scale))

            // Only snippets have a provider of live rows.
            list.makeLive(row: 1)
            XCTAssert(pump { list.isLive(row: 1) }, "the snippet does not turn into a view")
            list.makeLive(row: 2)
            XCTAssert(pump { !list.rowsLive.contains(2) }, "the number waits for a view")
            XCTAssert(list.isLive(row: 1))

            // Rows of both types wait for the end of a suspension.
            let lease = renderer.suspend()
            let (drawn, started) = (renderer.counters.drawn, numbers.started.count)
            list.scroll(to: 199, .bottom)
            XCTAssert(pump(seconds: 60) { renderer.waitingCount > 1 }, "nothing is requested")
            XCTAssertEqual(renderer.counters.drawn, drawn)
            XCTAssertEqual(numbers.started.count, started)
            lease.end()
            XCTAssert(pump(seconds: 60) { isComplete() }, "the last rows are not complete")
            gtk_widget_destroy(window)
        }
    }

    func testARowWithoutAProviderEndsNoLiveRow() {
        onMain {
            HostDisplay.start()
            let renderer = Renderer(engines: [NumberEngine(), SnippetBench.engine])
            let source = MixedRows()
            var options = ListOptions()
            options.liveLimit = 1
            let list = PictureList(
                renderer: renderer, source: source, options: options, liveRows: renderer.liveSnippets)
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            gtk_window_set_default_size(cast(window), 400, 500)
            gtk_container_add(cast(window), list.widget)
            gtk_widget_show_all(window)
            XCTAssert(pump { list.slots.window.visible.count > 3 })
            list.makeLive(row: 1)
            XCTAssert(pump { list.isLive(row: 1) }, "the snippet does not turn into a view")

            // A number row that is ready and one that is not.
            list.makeLive(row: 2)
            source.unready = [0]
            list.makeLive(row: 0)
            XCTAssert(pump { source.unready.isEmpty })
            pump(frames: 3, of: list.canvas.inner)
            XCTAssertEqual(list.rowsLive, [1])
            XCTAssert(list.isLive(row: 1))

            // A snippet takes the only slot, even if its content must be fetched first.
            source.unready = [3]
            list.makeLive(row: 3)
            XCTAssert(pump { list.isLive(row: 3) }, "the other snippet does not turn into a view")
            XCTAssertEqual(list.rowsLive, [3])
            gtk_widget_destroy(window)
        }
    }
}
