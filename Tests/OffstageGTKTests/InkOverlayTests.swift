import CGTK
import CTestEvents
import Foundation
import OffstageInk
import OffstagePages
import XCTest

@testable import OffstageGTK

/// Ink over widgets that do not belong to the canvas.
final class InkOverlayTests: XCTestCase {
    private static let ink = Ink(pages: [InkPage(width: 300, height: 150), InkPage(width: 300, height: 150)])

    private static func sample(_ x: Double, _ y: Double, pressure: Double = 0.5, time: Int) -> test_ink_sample {
        test_ink_sample(x: x, y: y, pressure: pressure, tilt: 0, time: guint32(1000 + time), source: GDK_SOURCE_PEN)
    }

    @MainActor
    private static func line(
        _ widget: UnsafeMutablePointer<GtkWidget>, from: (Double, Double), to: (Double, Double), button: Int32 = 1,
        time: Int = 0
    ) {
        test_ink_button(widget, 1, button, sample(from.0, from.1, time: time))
        for index in 1...20 {
            let share = Double(index) / 20
            let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
            test_ink_motion(widget, sample(x, y, pressure: 0.4 + share / 2, time: time + index * 4))
        }
        test_ink_button(widget, 0, button, sample(to.0, to.1, time: time + 90))
    }

    /// The page fills 600 × 300 px of the window, from y 50.
    func testAPenDrawsOnAPageViewWithPressureEraserAndUndo() {
        onMain {
            let engine = ColorPages()
            let host = PageHost(engine)
            host.pumpUntilComplete()
            let canvas = InkCanvas(over: host.view.focusWidget, InkEditor(Self.ink))
            canvas.brush = InkBrush(.pen, color: InkColor(red: 255, green: 0, blue: 0), width: 4)
            canvas.brush.dynamics = .pressure
            host.view.ink = canvas
            XCTAssertEqual(canvas.leaves.map(\.page), [0])
            let widget = host.view.focusWidget
            Self.line(widget, from: (150, 200), to: (450, 200))
            let stroke = canvas.editor.ink.pages[0].strokes[0]
            XCTAssertEqual(stroke.points[0].x, 75, accuracy: 0.01)
            XCTAssertEqual(stroke.points[0].y, 75, accuracy: 0.01)
            XCTAssertEqual(stroke.points.last!.x, 225, accuracy: 0.01)
            XCTAssertGreaterThan(stroke.points[19].pressure, stroke.points[2].pressure)
            pump { canvas.isComplete }
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], 0xFF0000)
            XCTAssertEqual(host.screen()[300, 230], ColorPages.color(0, 1))
            // The view neither turned the page nor selected anything.
            XCTAssertEqual(host.view.position.page, 1)
            // A barrel button erases a gap.
            Self.line(widget, from: (300, 150), to: (300, 250), button: 2, time: 1000)
            XCTAssertEqual(canvas.editor.ink.pages[0].strokes.count, 2)
            pump { canvas.isComplete }
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], ColorPages.color(0, 1))
            canvas.undo()
            pump { canvas.isComplete }
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], 0xFF0000)
            // The next page has its own ink, and the first page's ink returns.
            host.view.turnForward()
            host.pumpUntilComplete()
            XCTAssertEqual(canvas.leaves.map(\.page), [1])
            XCTAssertEqual(host.screen()[300, 200], ColorPages.color(0, 2))
            Self.line(widget, from: (150, 100), to: (450, 100), time: 2000)
            XCTAssertEqual(canvas.editor.ink.pages[1].strokes.count, 1)
            host.view.turnBack()
            host.pumpUntilComplete()
            pump { canvas.isComplete }
            host.settle()
            XCTAssertEqual(host.screen()[300, 200], 0xFF0000)
            // Without the pen, the view handles the pointer again, and the ink stays.
            canvas.isActive = false
            host.click(590, 200)
            host.assertPage(0, 2)
            XCTAssertEqual(canvas.editor.ink.strokeCount, 2)
            host.close()
        }
    }

    func testAnEnlargedPageKeepsItsInkInPlace() {
        onMain {
            let host = PageHost(ColorPages())
            host.pumpUntilComplete()
            let canvas = InkCanvas(over: host.view.focusWidget, InkEditor(Self.ink))
            canvas.brush = InkBrush(.pen, color: InkColor(red: 255, green: 0, blue: 0), width: 6)
            host.view.ink = canvas
            Self.line(host.view.focusWidget, from: (200, 200), to: (400, 200))
            host.view.zoom = 2
            pump { canvas.isComplete }
            host.settle()
            // The middle of the window does not move.
            XCTAssertEqual(host.screen()[300, 200], 0xFF0000)
            Self.line(host.view.focusWidget, from: (300, 300), to: (300, 380), time: 3000)
            let stroke = canvas.editor.ink.pages[0].strokes[1]
            XCTAssertEqual(stroke.points[0].x, 150, accuracy: 0.3)
            XCTAssertEqual(stroke.points[0].y, 100, accuracy: 0.3)
            host.close()
        }
    }

    /// Works over any widget: here a plain coloured widget.
    func testAHighlighterDarkensWhatIsBelowIt() {
        onMain {
            HostDisplay.start()
            let window = gtk_window_new(GTK_WINDOW_POPUP)!
            gtk_window_set_default_size(cast(window), 300, 150)
            let box = gtk_drawing_area_new()!
            gtk_container_add(cast(window), box)
            let paint: @convention(c) (UnsafeMutableRawPointer, OpaquePointer, gpointer?) -> gboolean = {
                _, context, _ in
                cairo_set_source_rgb(context, 0, 0.5, 1)
                cairo_paint(context)
                return 0
            }
            g_signal_connect_data(
                gpointer(box), "draw", unsafeBitCast(paint, to: GCallback.self), nil, nil, GConnectFlags(0))
            gtk_widget_show_all(window)
            pump(frames: 2, of: box)
            XCTAssertEqual(gtk_widget_get_allocated_width(box), 300)
            let canvas = InkCanvas(over: box, InkEditor(Self.ink))
            let whole = InkPlacement.Box(x: 0, y: 0, width: 300, height: 150)
            canvas.place([InkPlacement(page: 0, box: whole)])
            canvas.brush = InkBrush(.highlighter, color: InkColor(red: 255, green: 255, blue: 0), width: 20)
            // A mouse can draw, too.
            test_ink_button(
                box, 1, 1, test_ink_sample(x: 50, y: 75, pressure: -1, tilt: 0, time: 1, source: GDK_SOURCE_MOUSE))
            for x in stride(from: 60.0, through: 250, by: 10) {
                test_ink_motion(
                    box, test_ink_sample(x: x, y: 75, pressure: -1, tilt: 0, time: guint32(x), source: GDK_SOURCE_MOUSE)
                )
            }
            @MainActor func color() -> UInt32 {
                pump { canvas.isComplete || canvas.leaves.isEmpty }
                pump(frames: 2, of: box)
                return Screen(of: box)[150, 75]
            }
            // The colours are multiplied, both under the pen and afterwards.
            XCTAssertEqual(color(), 0x008000)
            test_ink_button(
                box, 0, 1, test_ink_sample(x: 250, y: 75, pressure: -1, tilt: 0, time: 900, source: GDK_SOURCE_MOUSE))
            XCTAssertEqual(canvas.editor.ink.strokeCount, 1)
            XCTAssertEqual(color(), 0x008000)
            canvas.undo()
            XCTAssertEqual(color(), 0x0080FF)
            canvas.redo()
            canvas.detach()
            XCTAssertEqual(color(), 0x0080FF)
            gtk_widget_destroy(window)
        }
    }
}
