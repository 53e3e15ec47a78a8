import CGTK
import CTestEvents
import Foundation
import Offstage
import Synchronization
import XCTest

@testable import OffstageGTK
@testable import OffstagePages

/// Paints a page in the colour of its document and number. Each drawing takes some time.
final class ColorPages: Engine {
    let capacity = 2
    private let state = Mutex<(isHeld: Bool, waiting: [CheckedContinuation<Void, Never>], drawn: [DocumentPage])>(
        (false, [], []))

    /// All drawings so far.
    var drawn: [DocumentPage] { state.withLock { $0.drawn } }

    /// Holds drawings that start from now on until `release`.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            defer { (state.isHeld, state.waiting) = (false, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// A page's colour as 0xRRGGBB: never grey, white or black.
    static func color(_ document: Int, _ page: Int) -> UInt32 { UInt32(0x40_0000 + document << 18 + page * 8) }

    static let annotated: UInt32 = 0x12_3456

    func draw(_ page: DocumentPage) async throws(DrawingError) -> Drawing {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                state.drawn.append(page)
                if state.isHeld { state.waiting.append(continuation) }
                return !state.isHeld
            }
            if passes { continuation.resume() }
        }
        guard let fit = page.fit else { throw .engineFailed("a page view names a size") }
        // Pages are twice as wide as tall.
        func pixels(_ length: Double) -> Int { max(1, Int((length * page.scale).rounded())) }
        let size =
            page.clip.map { PixelSize(width: pixels($0.width), height: pixels($0.height)) }
            ?? PixelSize(width: pixels(Double(fit.width)), height: pixels(Double(fit.width) / 2))
        let color = 0xFF00_0000 | Self.color(Int(page.document.data[0]), page.page)
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            pixels.update(repeating: color)
            guard page.clip == nil else { return }
            // A page with annotations has a corner of this colour.
            let corner = page.annotations == nil ? 0xFFFF_FFFF : 0xFF00_0000 | Self.annotated
            // White margins of a tenth of the page on each side.
            for y in 0..<size.height {
                for x in 0..<size.width
                where x < size.width / 10 || x >= size.width * 9 / 10 || y < size.height / 10
                    || y >= size.height * 9 / 10
                { pixels[y * size.width + x] = x * 20 < size.width && y * 20 < size.height ? corner : 0xFFFF_FFFF }
            }
        }
        return Drawing(pixmaps: [pixmap], scale: page.scale)
    }

    func fingerprint(of page: DocumentPage) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("document", page.document.data)
        let clip = page.clip.map { "\($0)" } ?? ""
        builder.add("page", "\(page.page) \(String(describing: page.fit)) \(page.scale) \(clip) \(page.variant)")
        builder.add("annotations", "\(page.annotations?.annotations.count ?? 0)")
        return builder.build()
    }

    func shutDown() async {}
}

/// A window with a page view in it, on the host's display.
@MainActor
final class PageHost {
    let renderer: Renderer
    var view: PageView!
    let window: UnsafeMutablePointer<GtkWidget>

    /// Documents of coloured pages of 200 × 100 points, in a window of 600 × 400 px.
    convenience init(
        _ engine: ColorPages, pages: [Int] = [9], options: PageViewOptions = PageViewOptions(), height: Int = 400
    ) {
        let books = pages.enumerated().map { number, count in
            PageBook(
                PageDocument(Data([UInt8(number)])), identifier: "book \(number)",
                pages: (1...count).map { _ in DocumentInfo.Page(width: 200, height: 100, label: nil) })
        }
        self.init(engine, books: books, options: options, height: height)
    }

    init(_ engine: any Engine, books: [PageBook], options: PageViewOptions = PageViewOptions(), height: Int = 400) {
        HostDisplay.start()
        var configuration = RendererConfiguration()
        configuration.memory = CachedPictures.cache()
        renderer = Renderer(engines: [engine], configuration: configuration)
        view = PageView(renderer: renderer, books: books, options: options)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), 600, Int32(height))
        gtk_container_add(cast(window), view.widget)
        test_pointer_move(999, 799)
        gtk_widget_show_all(window)
        gtk_widget_grab_focus(view.widget)
        pump { gtk_widget_get_mapped(self.inner) != 0 && self.view.requests.sizing.width > 1 }
    }

    var inner: UnsafeMutablePointer<GtkWidget> { view.canvas.inner }

    func close() {
        if view.canvas.isThere { gtk_widget_destroy(window) }
        view = nil
    }

    var isComplete: Bool { !view.shown.isEmpty && view.shown.allSatisfy { $0.quality == .full } }

    func pumpUntilComplete(file: StaticString = #filePath, line: UInt = #line) {
        pump(frames: 1, of: inner)
        XCTAssert(pump { self.isComplete }, "the pages are not complete: \(view.shown)", file: file, line: line)
        pump(frames: 2, of: inner)
    }

    func pumpUntilBlank() { pump { self.view.shown.isEmpty } }

    func settle() {
        gdk_display_sync(gdk_display_get_default())
        pump(frames: 2, of: inner)
    }

    func press(_ key: Int32, holding keys: [Int32] = []) {
        // Without a window manager, keys go to the window under the pointer.
        if view.input.last == (0, 0) { move(300, 3) }
        for key in keys { test_key(gulong(key), 1) }
        test_key(gulong(key), 1)
        test_key(gulong(key), 0)
        for key in keys { test_key(gulong(key), 0) }
        settle()
    }

    func move(_ x: Int, _ y: Int) {
        var (left, top) = (gint(), gint())
        gdk_window_get_origin(gtk_widget_get_window(inner), &left, &top)
        test_pointer_move(left + Int32(x), top + Int32(y))
        // While the pen is down, its canvas receives the motions.
        pump {
            let pen = self.view.penCanvas?.pointers.values.first?.last
            return self.isAt(x, y, self.view.input.last) || self.isAt(x, y, pen)
        }
    }

    private func isAt(_ x: Int, _ y: Int, _ place: (x: Double, y: Double)?) -> Bool {
        guard let place else { return false }
        return Int(place.x) == x && Int(place.y) == y
    }

    func click(_ x: Int, _ y: Int, button: Int32 = 1) {
        move(x, y)
        test_button(button, 1)
        test_button(button, 0)
        settle()
    }

    func drag(from: (Int, Int), to: (Int, Int)) {
        move(from.0, from.1)
        test_button(1, 1)
        settle()
        move((from.0 + to.0) / 2, (from.1 + to.1) / 2)
        move(to.0, to.1)
        test_button(1, 0)
        settle()
    }

    func screen() -> Screen { Screen(of: inner) }

    /// Checks the page's colour in the middle of the window.
    func assertPage(_ document: Int, _ page: Int, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(view.position.document, document, file: file, line: line)
        XCTAssertEqual(view.position.page, page, file: file, line: line)
        pumpUntilComplete(file: file, line: line)
        let screen = screen()
        XCTAssertEqual(
            screen[screen.width / 2, screen.height / 2 - 3], ColorPages.color(document, page), file: file, line: line)
    }
}
