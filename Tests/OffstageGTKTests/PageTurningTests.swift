import CGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK
@testable import OffstagePages

/// Turning pages with keys, pedals, clicks, the wheel and fingers.
final class PageTurningTests: XCTestCase {
    func testKeysAndPedalsTurn() {
        onMain {
            let host = PageHost(ColorPages())
            host.assertPage(0, 1)
            var page = 1
            for (key, step) in [
                (GDK_KEY_Page_Down, 1), (GDK_KEY_Right, 1), (GDK_KEY_space, 1), (GDK_KEY_Down, 1),
                (GDK_KEY_Page_Up, -1),
                (GDK_KEY_Left, -1), (GDK_KEY_Up, -1),
            ] {
                host.press(key)
                page += step
                host.assertPage(0, page)
            }
            host.press(GDK_KEY_End)
            host.assertPage(0, 9)
            var ends: [Int] = []
            host.view.onEnd = { ends.append($0) }
            host.press(GDK_KEY_Page_Down)
            host.assertPage(0, 9)
            host.press(GDK_KEY_Home)
            host.assertPage(0, 1)
            host.press(GDK_KEY_Page_Up)
            XCTAssertEqual(ends, [1, -1])
            host.close()
        }
    }

    func testClicksTurnAtTheSides() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            host.click(590, 200)
            host.assertPage(0, 2)
            host.click(590, 200)
            host.click(300, 200)
            host.assertPage(0, 3)
            host.click(5, 200)
            host.assertPage(0, 2)
            // The back and forward buttons of a mouse.
            host.click(300, 200, button: 9)
            host.assertPage(0, 3)
            host.close()
            var options = PageViewOptions()
            options.turnsByClick = false
            let other = PageHost(ColorPages(), options: options)
            other.click(590, 200)
            other.assertPage(0, 1)
            other.close()
        }
    }

    func testTheWheelAndFingersTurn() {
        onMain {
            let host = PageHost(ColorPages())
            host.move(300, 200)
            test_button(5, 1)
            test_button(5, 0)
            host.settle()
            host.assertPage(0, 2)
            test_button(4, 1)
            test_button(4, 0)
            host.settle()
            host.assertPage(0, 1)
            // One long movement of two fingers turns one page.
            for step in 0..<10 {
                _ = host.view.wheelTurned(WheelTurn(across: 0.5, isSmooth: true, time: guint32(1_000 + 10 * step)))
            }
            host.assertPage(0, 2)
            _ = host.view.wheelTurned(WheelTurn(isSmooth: true, isStop: true, time: 1_200))
            for step in 0..<10 {
                _ = host.view.wheelTurned(WheelTurn(across: -0.5, isSmooth: true, time: guint32(1_300 + 10 * step)))
            }
            host.assertPage(0, 1)
            host.view.gestures.swiped(-900, 20)
            host.assertPage(0, 2)
            host.view.gestures.swiped(10, 900)
            host.assertPage(0, 2)
            host.view.gestures.swiped(900, 20)
            host.assertPage(0, 1)
            host.close()
        }
    }

    func testTurnsCrossDocuments() {
        onMain {
            let host = PageHost(ColorPages(), pages: [2, 1, 3])
            var seen: [[Int]] = []
            host.view.onTurn = { seen.append([$0.document, $0.page]) }
            for _ in 0..<6 { host.press(GDK_KEY_Page_Down) }
            host.assertPage(2, 3)
            XCTAssertEqual(seen, [[0, 2], [1, 1], [2, 1], [2, 2], [2, 3]])
            for _ in 0..<6 { host.press(GDK_KEY_Page_Up) }
            host.assertPage(0, 1)
            // The document becomes shorter while it is displayed.
            host.view.show(document: 2, page: 3)
            var books = host.view.books
            books[2].pages.removeLast(2)
            host.view.books = books
            host.assertPage(2, 1)
            host.view.books = []
            host.settle()
            XCTAssertNil(host.view.visiblePages)
            host.press(GDK_KEY_Page_Down)
            host.close()
        }
    }

    func testHalfPages() {
        onMain {
            let host = PageHost(ColorPages())
            host.view.turnsHalves = true
            host.assertPage(0, 1)
            host.press(GDK_KEY_Page_Down)
            host.pumpUntilComplete()
            var screen = host.screen()
            // The upper half of page 2 is at the top, the lower half of page 1 below it.
            XCTAssertEqual(screen[300, 150], ColorPages.color(0, 2))
            XCTAssertEqual(screen[300, 250], ColorPages.color(0, 1))
            XCTAssertEqual(host.view.visiblePages, 1...2)
            host.press(GDK_KEY_Page_Down)
            host.assertPage(0, 2)
            host.press(GDK_KEY_Page_Up)
            host.pumpUntilComplete()
            screen = host.screen()
            XCTAssertEqual(screen[300, 150], ColorPages.color(0, 2))
            XCTAssertEqual(screen[300, 250], ColorPages.color(0, 1))
            host.press(GDK_KEY_End)
            host.press(GDK_KEY_Page_Down)
            host.assertPage(0, 9)
            host.close()
        }
    }

    func testTwoPagesSideBySide() {
        onMain {
            let host = PageHost(ColorPages())
            host.view.spread = .double
            host.pumpUntilComplete()
            XCTAssertEqual(host.view.visiblePages, 1...2)
            var screen = host.screen()
            XCTAssertEqual(screen[150, 200], ColorPages.color(0, 1))
            XCTAssertEqual(screen[450, 200], ColorPages.color(0, 2))
            host.press(GDK_KEY_Page_Down)
            XCTAssertEqual(host.view.visiblePages, 3...4)
            host.press(GDK_KEY_End)
            XCTAssertEqual(host.view.visiblePages, 9...9)
            host.view.spread = .book
            XCTAssertEqual(host.view.visiblePages, 8...9)
            host.pumpUntilComplete()
            screen = host.screen()
            XCTAssertEqual(screen[150, 200], ColorPages.color(0, 8))
            host.press(GDK_KEY_Home)
            XCTAssertEqual(host.view.visiblePages, 1...1)
            host.close()
        }
    }
}
