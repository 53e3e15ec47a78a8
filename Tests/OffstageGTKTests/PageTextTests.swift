import CGTK
import COffstageGTK
import CTestEvents
import Foundation
import Offstage
import PageSamples
import XCTest

@testable import OffstageGTK
@testable import OffstagePages

/// Links, selection, search and assistive technology on pages that PDFium draws.
final class PageTextTests: XCTestCase {
    private static var document: PageDocument {
        let links =
            "<< /Type /Annot /Subtype /Link /Rect [10 10 60 30] /A << /S /URI /URI (https://example.org/) >> >> "
            + "<< /Type /Annot /Subtype /Link /Rect [100 10 150 30] /Dest [\(TestPDF.object(ofPage: 2)) 0 R /Fit] >>"
        return PageDocument(
            TestPDF(pages: [
                .init(
                    entries: "/MediaBox [0 0 200 100] /Annots [\(links)]",
                    content: "BT /F1 20 Tf 10 15 Td (Link) Tj 0 50 Td (Hello brave world) Tj ET"),
                .init(content: "BT /F1 20 Tf 10 40 Td (Second page) Tj ET"),
                .init(content: "BT /F1 20 Tf 10 40 Td (A third, Brave one) Tj ET"),
            ]).data)
    }

    /// A view with three pages whose text has been read.
    @MainActor private static func host() -> PageHost {
        let engine = PageEngine(workers: 2)
        let pages = [1, 2, 3].map { DocumentInfo.Page(width: 200, height: 100, label: $0 == 2 ? "ii" : nil) }
        let host = PageHost(engine, books: [PageBook(Self.document, identifier: "book", pages: pages)])
        host.pumpUntilComplete()
        XCTAssert(pump { host.view.visibleCells.first?.text != nil })
        return host
    }

    /// The window's position of a point of the page. The page's points are measured from its lower left corner.
    @MainActor private static func point(_ x: Double, _ y: Double) -> (Int, Int) {
        (Int(x * 3), Int(50 + (100 - y) * 3))
    }

    func testLinksLeadToPagesAndToTheHost() {
        onMain {
            let host = Self.host()
            var targets: [String] = []
            host.view.onLink = { targets.append($0) }
            let (inside, outside) = (Self.point(120, 20), Self.point(30, 20))
            host.click(outside.0, outside.1)
            XCTAssertEqual(targets, ["https://example.org/"])
            XCTAssertEqual(host.view.position.page, 1)
            host.click(inside.0, inside.1)
            XCTAssertEqual(host.view.position.page, 2)
            XCTAssertEqual(host.view.tooltip(x: 0, y: 0), nil)
            host.close()
        }
    }

    func testATargetIsAtTheUpperEdgeOfAnEnlargedPage() {
        onMain {
            let host = Self.host()
            host.view.setZoom(8, atX: 0, y: 0)
            // 50 points from the top, of 100.
            host.view.follow("#page=3&y=\(50.0 * 96 / 72)")
            XCTAssertEqual(host.view.position.page, 3)
            let middle = host.view.layout.box(of: PagePart(x: 0, y: 0.5, width: 1, height: 0.1), page: 3)
            XCTAssertEqual(middle?.y ?? -1, 0, accuracy: 1)
            host.view.follow("#page=3")
            XCTAssertEqual(host.view.layout.box(of: .whole, page: 3)?.y ?? -1, 0, accuracy: 1)
            host.close()
        }
    }

    func testTextIsSelectedByDragsAndDoubleClicks() {
        onMain {
            let host = Self.host()
            host.drag(from: Self.point(11, 70), to: Self.point(195, 70))
            XCTAssertEqual(host.view.selectedText, "Hello brave world")
            let color = host.screen()[Self.point(30, 78).0, Self.point(30, 70).1]
            XCTAssertNotEqual(color, 0xFFFFFF)
            // A click turns no page while text is selected.
            host.click(590, 200)
            XCTAssertEqual(host.view.selectedText, "")
            XCTAssertEqual(host.view.position.page, 1)
            let word = Self.point(80, 72)
            host.move(word.0, word.1)
            for _ in 0..<2 {
                test_button(1, 1)
                test_button(1, 0)
            }
            host.settle()
            XCTAssertEqual(host.view.selectedText, "brave")
            host.press(GDK_KEY_c, holding: [GDK_KEY_Control_L])
            let clipboard = gtk_clipboard_get_for_display(
                gtk_widget_get_display(host.inner), gdk_atom_intern("CLIPBOARD", 0))
            let text = gtk_clipboard_wait_for_text(clipboard)
            XCTAssertEqual(text.map { String(cString: $0) }, "brave")
            g_free(text)
            host.press(GDK_KEY_a, holding: [GDK_KEY_Control_L])
            XCTAssertEqual(host.view.selectedText, "Link\nHello brave world")
            host.press(GDK_KEY_Escape)
            XCTAssertEqual(host.view.selectedText, "")
            host.close()
        }
    }

    func testSearchMarksPlacesAndGoesThroughTheDocument() {
        onMain {
            let host = Self.host()
            host.view.find("bRave")
            XCTAssert(pump { host.view.found?.page == 1 && !host.view.isSearching })
            host.settle()
            let (x, y) = Self.point(80, 72)
            let marked = host.screen()
            host.view.findNext()
            XCTAssert(pump { host.view.position.page == 3 })
            host.pumpUntilComplete()
            host.view.findNext()
            XCTAssert(pump { host.view.position.page == 1 })
            host.view.find("no such words")
            XCTAssert(pump { !host.view.isSearching })
            XCTAssertNil(host.view.found)
            host.settle()
            XCTAssertGreaterThan(host.screen().differences(to: marked), 100, "\(x) \(y)")
            host.view.find("")
            host.close()
        }
    }

    func testAssistiveTechnologyReadsPagesAndFollowsLinks() throws {
        try onMain {
            let host = Self.host()
            let pages = Accessible(of: host.inner)
            XCTAssertEqual(pages.name, "Pages")
            XCTAssertEqual(pages.count, 3)
            let first = try XCTUnwrap(pages[0])
            XCTAssertEqual(first.text, "Link\nHello brave world")
            XCTAssertEqual(first.description, "Page 1")
            XCTAssertEqual([first.isShowing, pages[1]?.isShowing], [true, false])
            // Only one of the two links has text.
            XCTAssertEqual([first.count, first.linkCount], [2, 1])
            XCTAssertEqual(first.linkTarget(0), "https://example.org/")
            // A page that is not visible has only its name until its text has been read for the client.
            let third = try XCTUnwrap(pages[2])
            XCTAssert(pump { third.text == "A third, Brave one" })
            XCTAssertEqual(pages[1]?.description, "Page ii")
            XCTAssert(first[1]?.act() == true)
            XCTAssertEqual(host.view.position.page, 2)
            host.settle()
            XCTAssertEqual(first.isShowing, false)
            for number in [-1, 3, Int(Int32.max)] { XCTAssertNil(pages[number]) }
            host.close()
        }
    }

    func testTheStripShowsThumbnailsAndLeadsToPages() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine, pages: [9, 2])
            let strip = PageStrip(of: host.view)
            host.view.onTurn = { _ in strip.follow() }
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            gtk_window_set_default_size(cast(window), 150, 500)
            gtk_container_add(cast(window), strip.widget)
            gtk_widget_show_all(window)
            host.pumpUntilComplete()
            XCTAssert(
                pump {
                    !strip.grid.visibleCells.isEmpty
                        && strip.grid.visibleCells.allSatisfy { strip.grid.slots[$0]?.picture?.quality == .thumbnail }
                })
            // Each page was drawn once, for the strip and the view together.
            let drawn = engine.drawn.map(\.page)
            XCTAssertEqual(drawn.count, Set(drawn).count)
            strip.grid.selection = [4]
            XCTAssertEqual(host.view.position.page, 5)
            host.view.show(document: 1, page: 2)
            XCTAssertEqual(strip.grid.cellCount, 2)
            XCTAssertEqual(strip.grid.selection, [1])
            gtk_widget_destroy(window)
            host.close()
        }
    }
}
