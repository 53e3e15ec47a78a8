import CGTK
import CTestEvents
import Foundation
import Offstage
import SeededRandom
import XCTest

@testable import OffstageGTK
@testable import OffstagePages

/// What a page view shows while pictures are missing, enlarged, cropped or dark.
final class PagePictureTests: XCTestCase {
    /// In each frame of hundreds of page turns, the window shows the current page or blank paper, never another page.
    func testNoFrameShowsAnotherPage() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine, pages: [40, 40, 40])
            var random = SeededGenerator(seed: 23)
            for turn in 0..<300 {
                // Drawings that are held back arrive while another page is visible.
                if turn % 7 == 0 { engine.hold() }
                if turn % 7 == 5 { engine.release() }
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    host.view.show(
                        document: .random(in: 0..<3, using: &random), page: .random(in: 1...40, using: &random))
                case 1: host.view.turnBack()
                case 2: host.view.zoom = [1, 1, 1.5].randomElement(using: &random)!
                default: host.view.turnForward()
                }
                pump(frames: 1, of: host.inner)
                let (screen, place) = (host.screen(), host.view.position)
                let color = screen[300, 197]
                XCTAssert(
                    color == ColorPages.color(place.document, place.page) || color == 0xFFFFFF,
                    "turn \(turn): \(String(color, radix: 16)) for \(place)")
                // A page that has been drawn and is in memory is never blank.
                if color == 0xFFFFFF { XCTAssertEqual(host.view.shown.first?.quality, .blank) }
            }
            engine.release()
            host.close()
        }
    }

    func testTheNextPagesAreThereInTheNextFrame() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine)
            host.pumpUntilComplete()
            XCTAssert(pump { engine.drawn.contains { $0.page == 3 } && host.renderer.runningCount == 0 })
            engine.hold()
            host.view.turnForward()
            pump(frames: 1, of: host.inner)
            host.assertPage(0, 2)
            engine.release()
            host.close()
        }
    }

    /// A page whose picture has another size shows it stretched, and a page that has only a thumbnail shows that.
    func testAThumbnailIsShownUntilThePageIsDrawn() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine)
            host.pumpUntilComplete()
            XCTAssert(pump { host.renderer.waitingCount + host.renderer.runningCount == 0 })
            host.renderer.trimMemory(to: 0)
            engine.hold()
            // Far from the pages whose pictures the view still has.
            host.view.show(page: 8)
            pump(frames: 2, of: host.inner)
            XCTAssertEqual(host.view.shown.map(\.quality), [.blank])
            engine.release()
            host.assertPage(0, 8)
            engine.hold()
            gtk_window_resize(cast(host.window), 500, 400)
            pump { host.view.requests.sizing.width == 500 }
            pump(frames: 2, of: host.inner)
            XCTAssertEqual(host.view.shown.map(\.quality), [.stretched])
            XCTAssertEqual(host.screen()[250, 197], ColorPages.color(0, 8))
            engine.release()
            host.pumpUntilComplete()
            host.close()
        }
    }

    func testAnEnlargedPageIsStretchedAtOnceAndThenSharp() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine)
            host.assertPage(0, 1)
            engine.hold()
            host.view.zoom = 8
            pump(frames: 1, of: host.inner)
            XCTAssertEqual(host.view.shown.map(\.quality), [.stretched])
            XCTAssertEqual(host.screen()[300, 197], ColorPages.color(0, 1))
            engine.release()
            host.pumpUntilComplete()
            let sharp = engine.drawn.filter { $0.clip != nil }
            XCTAssertEqual(sharp.last?.fit?.width, 4_800)
            // The visible part plus a quarter of it on each side, and not the whole page.
            XCTAssertLessThan(sharp.last?.clip?.width ?? .infinity, 1_000)
            // A small movement needs no new drawing.
            host.press(GDK_KEY_Right)
            XCTAssertEqual(host.view.shown.map(\.quality), [.full])
            XCTAssertEqual(engine.drawn.filter { $0.clip != nil }.count, sharp.count)
            host.press(GDK_KEY_0, holding: [GDK_KEY_Control_L])
            host.assertPage(0, 1)
            XCTAssertEqual(host.view.zoom, 1)
            // The picture in the window's size was cached.
            XCTAssertEqual(engine.drawn.filter { $0.clip == nil && $0.page == 1 }.count, 1)
            host.close()
        }
    }

    func testZoomKeepsThePlaceUnderThePointer() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            let before = host.view.layout.place(atX: 450, y: 250)
            host.view.setZoom(3, atX: 450, y: 250)
            let after = host.view.layout.place(atX: 450, y: 250)
            XCTAssertEqual(before?.x ?? 0, after?.x ?? 1, accuracy: 0.01)
            XCTAssertEqual(before?.y ?? 0, after?.y ?? 1, accuracy: 0.01)
            host.drag(from: (300, 200), to: (250, 180))
            let moved = host.view.layout.place(atX: 400, y: 230)
            XCTAssertEqual(before?.x ?? 0, moved?.x ?? 1, accuracy: 0.01)
            for zoom in [Double.nan, -4, .infinity, 1e9] {
                host.view.zoom = zoom
                XCTAssert((0.25...8).contains(host.view.zoom))
            }
            host.close()
        }
    }

    func testFitWidthScrollsDownBeforeItTurns() {
        onMain {
            let host = PageHost(ColorPages(), height: 200)
            host.view.scaling = .fitWidth
            host.pumpUntilComplete()
            XCTAssertEqual(host.view.layout.content.height, 300, accuracy: 1)
            host.press(GDK_KEY_Page_Down)
            XCTAssertEqual(host.view.position.page, 1)
            XCTAssertEqual(host.view.layout.pan.y, 100, accuracy: 1)
            host.press(GDK_KEY_Page_Down)
            XCTAssertEqual(host.view.position.page, 2)
            XCTAssertEqual(host.view.layout.pan.y, 0)
            host.press(GDK_KEY_Page_Up)
            XCTAssertEqual(host.view.position.page, 1)
            XCTAssertEqual(host.view.layout.pan.y, 100, accuracy: 1)
            host.close()
        }
    }

    func testMarginsAreCutOff() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[30, 200], 0xFFFFFF)
            host.view.cropsMargins = true
            host.pumpUntilComplete()
            let screen = host.screen()
            XCTAssertEqual(screen[30, 200], ColorPages.color(0, 1))
            XCTAssertEqual(screen[570, 200], ColorPages.color(0, 1))
            host.press(GDK_KEY_Page_Down)
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[30, 200], ColorPages.color(0, 2))
            host.view.cropsMargins = false
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[30, 200], 0xFFFFFF)
            host.close()
        }
    }

    func testADarkPageKeepsItsHue() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            host.view.isDark = true
            host.settle()
            let screen = host.screen()
            XCTAssertEqual(screen[30, 200], 0)
            let (color, dark) = (ColorPages.color(0, 1), screen[300, 197])
            // Red is 0x40 and blue is 0x08: the lightness 0x40 becomes 255 − 0x40, and the differences stay.
            XCTAssertEqual(Int(dark >> 16) - Int(dark & 255), Int(color >> 16) - Int(color & 255))
            XCTAssertEqual(Int(dark >> 16), 255)
            host.view.isDark = false
            host.assertPage(0, 1)
            host.close()
        }
    }

    /// Imitates a program that opens its window before it has read the document.
    func testAPageThatIsRequestedTwiceAppears() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine)
            let books = host.view.books
            host.view.books = []
            host.pumpUntilBlank()
            engine.hold()
            host.view.books = books
            host.view.show(page: 4)
            host.view.show(page: 5)
            host.view.show(page: 4)
            pump(frames: 2, of: host.inner)
            engine.release()
            host.assertPage(0, 4)
            // The host may cancel all requests.
            engine.hold()
            host.view.show(page: 9)
            pump { engine.drawn.contains { $0.page == 9 } }
            host.renderer.cancelAll()
            engine.release()
            host.assertPage(0, 9)
            host.close()
        }
    }

    func testAnnotationsBesideTheDocumentArePaintedInTheirOrder() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            let blue = PageAnnotation.Color(red: 0, green: 0, blue: 255)
            let red = PageAnnotation.Color(red: 255, green: 0, blue: 0)
            func bar(_ color: PageAnnotation.Color) -> PageAnnotation {
                .ink([[.init(x: 0.2, y: 0.5), .init(x: 0.8, y: 0.5)]], color: color, width: 10)!
            }
            var painted: [Int] = []
            host.view.onPaintPage = { _, place, box in
                painted.append(place.page)
                XCTAssertEqual(box.width, 600)
            }
            let place = PagePlan.Place(document: 0, page: 1)
            host.view.annotations = [place: [bar(blue), bar(red)]]
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], 0xFF0000)
            XCTAssert(painted.contains(1))
            host.view.annotations[place]?.reverse()
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], 0x0000FF)
            host.view.turnForward()
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[300, 200], ColorPages.color(0, 2))
            host.view.turnBack()
            host.view.variant = .plain
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[300, 200], ColorPages.color(0, 1))
            host.close()
        }
    }

    func testAChangedDocumentIsDrawnAgain() {
        onMain {
            let host = PageHost(ColorPages(), pages: [3])
            host.assertPage(0, 1)
            var books = host.view.books
            books[0].document = PageDocument(Data([5]))
            host.view.books = books
            pump(frames: 1, of: host.inner)
            XCTAssertNotEqual(host.screen()[300, 197], ColorPages.color(0, 1))
            host.pumpUntilComplete()
            XCTAssertEqual(host.screen()[300, 197], ColorPages.color(5, 1))
            host.close()
        }
    }
}
