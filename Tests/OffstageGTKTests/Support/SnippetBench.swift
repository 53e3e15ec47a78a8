import CGTK
import COffstageGTK
import CTestEvents
import Foundation
import Offstage
import OffstageGTKLive
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// Rows of HTML.
@MainActor
final class Snippets: ListSource {
    let rowCount: Int
    let snippet: (Int) -> Snippet
    var liveWithoutPicture: Set<Int> = []

    init(_ count: Int, _ snippet: @escaping (Int) -> Snippet) {
        rowCount = count
        self.snippet = snippet
    }

    func identifier(at row: Int) -> String { "row/\(row)" }
    func plainText(at row: Int) -> String? { "Row \(row)" }
    func isLiveWithoutPicture(at row: Int) -> Bool { liveWithoutPicture.contains(row) }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        var snippet = snippet(row)
        snippet.identifier = identifier(at: row)
        snippet.keepsAreas = true
        snippet.geometry.width = width
        snippet.geometry.scale = scale
        return snippet
    }

    /// A heading and a link.
    nonisolated static func plain(_ row: Int) -> Snippet {
        Snippet(
            """
            <!doctype html><meta charset=utf-8><title>title</title>
            <style>body { font: 16px DejaVu Sans; margin: 0; padding: 10px; background: hsl(\(row * 40), 70%, 95%) }
            a { display: inline-block; padding: 5px; background: #fff }</style>
            <b>Row \(row)</b>, with some text that is there to be read, and more of it.
            <p><a href="page/\(row).html?a=b#c">A link</a></p>
            <script>document.title = 'script'</script>
            """, identifier: "")
    }
}

/// A window with a list of snippets, drawn by WebKit, on the host's display.
@MainActor
final class SnippetBench {
    /// The engine that all tests share; it ends with the process.
    static let engine = {
        // The network namespace, which makes the network unreachable, is off: the tests check the layers below it.
        NetworkNamespace.isWanted = false
        return WebEngine(views: 1)
    }()

    let renderer: Renderer
    let source: Snippets
    var list: PictureList!
    let window: UnsafeMutablePointer<GtkWidget>

    init(
        rows: Int, width: Int = 400, height: Int = 500, options: ListOptions = ListOptions(),
        _ snippet: @escaping (Int) -> Snippet = Snippets.plain
    ) {
        HostDisplay.start()
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        renderer = Renderer(engine: Self.engine, configuration: configuration)
        source = Snippets(rows, snippet)
        list = PictureList(
            renderer: renderer, source: source, options: options, liveRows: renderer.liveSnippets)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), Int32(width), Int32(height))
        gtk_container_add(cast(window), list.widget)
        test_pointer_move(999, 799)
        gtk_widget_show_all(window)
        pump { gtk_widget_get_mapped(self.list.canvas.inner) != 0 && self.list.slots.window.visible.count > 0 }
    }

    var inner: UnsafeMutablePointer<GtkWidget> { list.canvas.inner }

    func pumpUntilComplete(file: StaticString = #filePath, line: UInt = #line) {
        let isComplete = pump(seconds: 60) {
            !list.isScrolling && !list.updates.isDue && !list.updates.isLookDue
                && list.slots.window.visible.allSatisfy { list.slots[$0]?.picture?.quality == .full }
        }
        XCTAssert(isComplete, "the rows in sight are not complete", file: file, line: line)
        pump(frames: 2, of: inner)
    }

    func screen() -> Screen { Screen(of: inner) }

    /// A row's live view.
    func view(row: Int) -> UnsafeMutablePointer<GtkWidget>? {
        list.live.entries.first { $0.item == row && $0.isShown }?.view?.widget
    }

    /// The middle of a row's link, in px of the canvas.
    func link(row: Int) -> (x: Int, y: Int) {
        guard let area = list.slots[row]?.picture?.image.areas.first(where: { $0.target != nil }) else {
            XCTFail("row \(row) has no link")
            return (0, 0)
        }
        let y = list.screenTop(of: row) + Double(list.options.verticalPadding) + area.y + area.height / 2
        return (list.layout.pictureBox(of: row).x + Int(area.x + area.width / 2), Int(y))
    }

    func move(_ x: Int, _ y: Int) {
        var (left, top) = (gint(), gint())
        gdk_window_get_origin(gtk_widget_get_window(inner), &left, &top)
        test_pointer_move(left + Int32(x), top + Int32(y))
        settle()
    }

    func settle() {
        gdk_display_sync(gdk_display_get_default())
        pump(frames: 3, of: inner)
    }

    func close() {
        if list.canvas.isThere { gtk_widget_destroy(window) }
        list = nil
    }
}

/// Runs an asynchronous body while the loop runs.
@MainActor
func onLoopValue(_ body: @escaping @MainActor () async -> Result<String, Interruption>) throws -> String {
    try MainLoop.run { try await body().get() }
}
