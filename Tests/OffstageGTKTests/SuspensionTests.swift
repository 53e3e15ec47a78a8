import CGTK
import CTestEvents
import Offstage
import Synchronization
import XCTest

@testable import OffstageGTK

/// Drawing stops while the list scrolls, whatever causes it, and continues afterwards.
final class SuspensionTests: XCTestCase {
    /// Long times, so that a busy machine does not split one scroll into two.
    private static let patient: ListOptions = {
        var options = ListOptions()
        options.drawing = .suspended
        options.suspension = ScrollSuspender.Times(settling: .milliseconds(400), settlingWhileHeld: .seconds(2))
        return options
    }()

    /// Runs `scroll`, and checks that no drawing starts before the scroll is over.
    @MainActor private static func check(
        _ name: String, options: ListOptions = patient, file: StaticString = #filePath, line: UInt = #line,
        _ scroll: (NumberList) -> Void
    ) {
        let held = Mutex(0)
        let box = Mutex<Renderer?>(nil)
        let engine = NumberEngine { _ in
            if box.withLock({ $0?.isSuspended }) == true { held.withLock { $0 += 1 } }
            return 1
        }
        let bench = NumberList(engine: engine, options: options)
        box.withLock { $0 = bench.renderer }
        defer { box.withLock { $0 = nil } }
        bench.pumpUntilComplete(file: file, line: line)
        pump { bench.renderer.waitingCount + bench.renderer.runningCount == 0 }
        XCTAssertFalse(bench.renderer.isSuspended, name, file: file, line: line)
        var changes: [Bool] = []
        bench.list.onScrolling = { changes.append($0) }
        let before = bench.value
        scroll(bench)
        XCTAssert(pump { !changes.isEmpty }, "\(name) is not seen", file: file, line: line)
        XCTAssert(pump { changes.last == false }, "\(name) does not end", file: file, line: line)
        XCTAssertNotEqual(bench.value, before, name, file: file, line: line)
        XCTAssertEqual(changes, [true, false], name, file: file, line: line)
        XCTAssertEqual(held.withLock { $0 }, 0, "\(name): drawn while it scrolled", file: file, line: line)
        XCTAssertFalse(bench.renderer.isSuspended, name, file: file, line: line)
        bench.pumpUntilComplete(file: file, line: line)
        bench.close()
    }

    func testWheel() {
        onMain {
            Self.check("the wheel") { bench in
                bench.move(100, 100)
                for _ in 0..<4 {
                    test_button(5, 1)
                    test_button(5, 0)
                    bench.settle()
                    XCTAssert(bench.renderer.isSuspended)
                }
            }
        }
    }

    func testKeyboard() {
        onMain {
            for key in [GDK_KEY_Page_Down, GDK_KEY_End] {
                Self.check("the key \(key)") { bench in
                    bench.click(100, 100)
                    for _ in 0..<3 { bench.press(key) }
                    XCTAssert(bench.renderer.isSuspended)
                }
            }
        }
    }

    func testScrollbarsAnimation() {
        onMain {
            Self.check("a page") { bench in
                test_scroll_page(bench.list.widget)
                bench.settle()
                XCTAssert(bench.renderer.isSuspended)
            }
        }
    }

    func testTouchpadWithDeceleration() {
        onMain {
            Self.check("the touchpad") { bench in
                for step in 0..<8 { test_touchpad(bench.inner, 1.5, UInt32(1_000 + step * 16), 0) }
                let value = bench.value
                test_touchpad(bench.inner, 0, 1_130, 1)
                bench.settle()
                XCTAssert(bench.renderer.isSuspended)
                // GTK continues scrolling by itself.
                pump(seconds: 2) { bench.value > value + 50 }
                XCTAssertGreaterThan(bench.value, value + 50)
            }
        }
    }

    func testProgram() {
        onMain {
            Self.check("the program's value") { gtk_adjustment_set_value($0.adjustment, 3_000) }
            Self.check("the program's row") { $0.list.scroll(to: 700, .center) }
        }
    }

    func testScrollbarThatIsHeldAndLetGo() {
        onMain {
            Self.check("the scrollbar") { bench in
                gtk_scrolled_window_set_overlay_scrolling(cast(bench.list.widget), 0)
                bench.settle()
                // The list is narrower now, so it requests its rows again.
                bench.pumpUntilComplete()
                pump { bench.renderer.waitingCount + bench.renderer.runningCount == 0 }
                let place = bench.origin()
                let x = Int32(place.x) + gtk_widget_get_allocated_width(bench.inner) + 5
                test_pointer_move(x, Int32(place.y + 8))
                bench.settle()
                test_button(1, 1)
                bench.settle()
                for y in 9..<30 {
                    test_pointer_move(x, Int32(place.y + y))
                    bench.settle()
                }
                XCTAssert(bench.renderer.isSuspended)
                // Release the button, with no further movement and no deceleration.
                test_button(1, 0)
                bench.settle()
            }
        }
    }

    func testAScrollbarThatIsHeldWithoutMovingDoesNotHoldUp() {
        onMain {
            let bench = NumberList()
            bench.pumpUntilComplete()
            bench.move(100, 100)
            test_button(1, 1)
            bench.settle()
            gtk_adjustment_set_value(bench.adjustment, 2_000)
            let start = ContinuousClock.now
            XCTAssert(pump { !bench.list.isScrolling })
            XCTAssertGreaterThan(start.duration(to: .now), bench.list.options.suspension.settlingWhileHeld)
            test_button(1, 0)
            bench.pumpUntilComplete()
            bench.close()
        }
    }

    func testMovementWithoutAnEndIsHeldUpForAWhileOnly() {
        onMain {
            var options = ListOptions()
            options.drawing = .suspended
            options.suspension.maximum = .milliseconds(200)
            // Other programs can delay a frame by more than the default of 80 ms. The list would then count as
            // resting.
            options.suspension.settling = .seconds(2)
            let bench = NumberList(options: options)
            bench.pumpUntilComplete()
            @MainActor func move() {
                gtk_adjustment_set_value(bench.adjustment, bench.value + 3)
                pump(frames: 1, of: bench.inner)
                XCTAssert(bench.list.isScrolling)
            }
            gtk_adjustment_set_value(bench.adjustment, bench.value + 3)
            XCTAssert(bench.renderer.isSuspended)
            XCTAssert(
                pump {
                    move()
                    return !bench.renderer.isSuspended
                })
            // Further movement does not suspend it again.
            for _ in 0..<20 {
                move()
                XCTAssertFalse(bench.renderer.isSuspended)
            }
            XCTAssert(pump { !bench.list.isScrolling })
            bench.close()
        }
    }

    func testWhatGoesWhileItScrollsHoldsNothingUp() {
        onMain {
            var options = ListOptions()
            options.drawing = .suspended
            let bench = NumberList(options: options)
            bench.pumpUntilComplete()
            // Destroying the widget.
            gtk_adjustment_set_value(bench.adjustment, 2_000)
            XCTAssert(bench.renderer.isSuspended)
            gtk_widget_destroy(bench.window)
            XCTAssertFalse(bench.list.canvas.isThere)
            XCTAssertFalse(bench.renderer.isSuspended)
            XCTAssertFalse(bench.list.isScrolling)
            // Destroying the host's own adjustment.
            let adjustment = gtk_adjustment_new(0, 0, 100, 1, 1, 1)!
            g_object_ref_sink(adjustment)
            var suspender: ScrollSuspender? = ScrollSuspender(bench.renderer)
            suspender?.attach(to: adjustment)
            gtk_adjustment_set_value(adjustment, 5)
            XCTAssert(bench.renderer.isSuspended)
            g_object_unref(adjustment)
            XCTAssertFalse(bench.renderer.isSuspended)
            XCTAssertEqual(suspender?.isScrolling, false)
            // Destroying the suspender while the adjustment stays.
            let other = gtk_adjustment_new(0, 0, 100, 1, 1, 1)!
            g_object_ref_sink(other)
            suspender?.attach(to: other)
            gtk_adjustment_set_value(other, 5)
            XCTAssert(bench.renderer.isSuspended)
            weak let gone = suspender
            suspender = nil
            XCTAssertNil(gone)
            XCTAssertFalse(bench.renderer.isSuspended)
            gtk_adjustment_set_value(other, 6)
            g_object_unref(other)
            bench.close()
        }
    }

    /// A scrolled window that is not shown. The caller owns it.
    @MainActor private static func scrolledWindow() -> (
        Renderer, UnsafeMutablePointer<GtkWidget>, ScrollSuspender
    ) {
        HostDisplay.start()
        let renderer = Renderer(engine: NumberEngine())
        let scrolled = gtk_scrolled_window_new(nil, nil)!
        g_object_ref_sink(scrolled)
        let suspender = ScrollSuspender(renderer)
        suspender.attach(to: cast(scrolled, to: GtkScrolledWindow.self))
        return (renderer, scrolled, suspender)
    }

    func testAScrolledWindowOfTheHosts() {
        onMain {
            let (renderer, scrolled, suspender) = Self.scrolledWindow()
            var seen: [Bool] = []
            suspender.onChange = { seen.append($0) }
            let adjustment = gtk_scrolled_window_get_hadjustment(cast(scrolled))!
            gtk_adjustment_configure(adjustment, 0, 0, 100, 1, 1, 1)
            suspender.ignoring { gtk_adjustment_set_value(adjustment, 3) }
            XCTAssertEqual(seen, [])
            gtk_adjustment_set_value(adjustment, 5)
            XCTAssert(renderer.isSuspended)
            XCTAssert(pump { !renderer.isSuspended })
            XCTAssertEqual(seen, [true, false])
            g_object_unref(scrolled)
        }
    }

    func testAdjustmentsThatTheHostReplaces() {
        onMain {
            let bench = NumberList(options: Self.patient)
            bench.pumpUntilComplete()
            let old = bench.adjustment
            g_object_ref(old)
            let new = gtk_adjustment_new(2_000, 0, 10_000, 1, 1, 1)!
            gtk_scrolled_window_set_vadjustment(cast(bench.list.widget), new)
            // The adjustment sets the list's position, which does not count as scrolling.
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.adjustment, new)
            XCTAssertFalse(bench.list.isScrolling)
            XCTAssertGreaterThan(bench.list.visibleRows.lowerBound, 10)
            bench.pumpUntilComplete()
            XCTAssertEqual(gtk_adjustment_get_page_size(new), Double(bench.list.canvas.height))
            XCTAssertEqual(gtk_adjustment_get_upper(new), Double(bench.list.layout.total))
            // The old adjustment no longer affects the list.
            let rows = bench.list.visibleRows
            gtk_adjustment_set_value(old, 0)
            gtk_adjustment_configure(old, 50, 0, 90_000, 1, 1, 500)
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.list.visibleRows, rows)
            XCTAssertFalse(bench.list.isScrolling)
            g_object_unref(old)
            gtk_adjustment_set_value(new, 5_000)
            XCTAssert(bench.renderer.isSuspended)
            pump(frames: 2, of: bench.inner)
            XCTAssertGreaterThan(bench.list.visibleRows.lowerBound, rows.upperBound)
            bench.pumpUntilComplete()
            XCTAssertFalse(bench.renderer.isSuspended)
            bench.close()
        }
    }

    func testAScrolledWindowWithOtherAdjustments() {
        onMain {
            let (renderer, scrolled, suspender) = Self.scrolledWindow()
            let old = gtk_scrolled_window_get_vadjustment(cast(scrolled))!
            g_object_ref(old)
            let new = gtk_adjustment_new(0, 0, 100, 1, 1, 1)!
            gtk_scrolled_window_set_vadjustment(cast(scrolled), new)
            gtk_adjustment_configure(old, 5, 0, 100, 1, 1, 1)
            XCTAssertFalse(renderer.isSuspended)
            // Replaced in the middle of a movement: nothing stays suspended.
            gtk_adjustment_set_value(new, 5)
            XCTAssert(renderer.isSuspended)
            gtk_scrolled_window_set_vadjustment(cast(scrolled), old)
            XCTAssert(pump { !renderer.isSuspended })
            g_object_unref(old)
            g_object_unref(scrolled)
            XCTAssertFalse(suspender.isScrolling)
        }
    }
}
