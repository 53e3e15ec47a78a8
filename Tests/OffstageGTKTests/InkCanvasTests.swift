import CGTK
import CTestEvents
import Foundation
import OffstageInk
import XCTest

@testable import OffstageGTK

/// A pen on a canvas, as GTK reports it.
final class InkCanvasTests: XCTestCase {
    func testAPenDrawsWithAllItsAxes() {
        onMain {
            let bench = InkBench()
            bench.canvas.brush = .pen
            bench.down(bench.sample(40, 40, pressure: 0.25, tilt: 0.5))
            for index in 1...9 {
                bench.move(bench.sample(40 + Double(index) * 10, 60, pressure: 0.25 + Double(index) / 20, tilt: 0.5))
            }
            XCTAssertEqual(bench.canvas.editor.ink.strokeCount, 0)
            XCTAssertNotEqual(bench.pixels(), bench.fresh(), "nothing is seen before the pen is lifted")
            bench.up(bench.sample(130, 60))
            let strokes = bench.canvas.editor.ink.pages[0].strokes
            XCTAssertEqual(strokes.count, 1)
            XCTAssertEqual(strokes[0].points.count, 10)
            // An inch has 96 GTK px and 72 points. Half of the device's full pressure becomes the nominal pressure.
            XCTAssertEqual(strokes[0].points[0].x, 30, accuracy: 0.01)
            XCTAssertEqual(strokes[0].points[0].pressure, 0.5, accuracy: 0.001)
            XCTAssertEqual(strokes[0].points[9].pressure, 1.4, accuracy: 0.001)
            XCTAssertEqual(strokes[0].points[0].tilt, .pi / 4, accuracy: 0.001)
            XCTAssertEqual(strokes[0].points[9].time, 0.036, accuracy: 0.001)
            XCTAssertEqual(bench.pixels(), bench.fresh())
            bench.close()
        }
    }

    func testTheScreenAlwaysShowsTheDocument() {
        onMain {
            let bench = InkBench()
            let canvas = bench.canvas
            bench.line(from: (30, 30), to: (350, 250))
            bench.line(from: (350, 30), to: (30, 250))
            canvas.brush = .highlighter
            bench.line(from: (30, 140), to: (370, 150))
            canvas.brush = .pencil
            bench.line(from: (60, 20), to: (70, 280))
            XCTAssertEqual(bench.pixels(), bench.fresh())
            @MainActor func check(_ what: String) {
                pump { canvas.isComplete }
                XCTAssertEqual(bench.pixels(), bench.fresh(), what)
            }
            canvas.undo()
            check("undo")
            canvas.redo()
            check("redo")
            canvas.mode = .erase(.part, radius: 5)
            bench.line(from: (100, 20), to: (120, 280))
            XCTAssertGreaterThan(canvas.editor.ink.strokeCount, 4)
            check("erase")
            canvas.undo()
            XCTAssertEqual(canvas.editor.ink.strokeCount, 4)
            check("undo erase")
            canvas.zoom = 2.5
            check("zoom")
            canvas.scroll(x: 37, y: -21)
            check("scroll")
            canvas.scroll(x: -90, y: 64)
            check("scroll back")
            canvas.mode = .draw
            bench.line(from: (20, 20), to: (380, 280))
            check("draw, enlarged")
            bench.close()
        }
    }

    func testATexturedLineIsTheSameBeforeAndAfterThePenIsLifted() {
        onMain {
            let bench = InkBench()
            let canvas = bench.canvas
            canvas.predicts = false
            for (column, brush) in [InkBrush.chalk, .charcoal, .calligraphy].enumerated() {
                canvas.brush = brush
                let x = 80.0 + 100 * Double(column)
                bench.down(bench.sample(x, 20, pressure: 0.4))
                for step in 1...20 {
                    bench.move(bench.sample(x + 20 * sin(Double(step) / 3), 20 + 12 * Double(step), pressure: 0.5))
                }
                let live = bench.pixels()
                bench.up(bench.sample(x + 20 * sin(20.0 / 3), 260, pressure: 0.5))
                XCTAssertTrue(live == bench.pixels(), "something jumps when the pen is lifted")
                XCTAssertTrue(bench.pixels() == bench.fresh(), "the screen does not show the document")
            }
            let textures = canvas.editor.ink.pages[0].strokes.compactMap(\.texture)
            XCTAssertEqual(textures.map(\.shape), [.chalk, .charcoal, .nib])
            XCTAssertEqual(Set(textures.map(\.seed)).count, 3, "each line has its own jitter")
            bench.close()
        }
    }

    func testAllMotionsOfAKilohertzArrive() {
        onMain {
            let bench = InkBench()
            bench.down(bench.sample(50, 50))
            for index in 1...1000 {
                let angle = Double(index) / 20
                bench.time -= 3
                bench.move(bench.sample(200 + cos(angle) * 100 + Double(index) / 50, 150 + sin(angle) * 100))
            }
            bench.up(bench.sample(60, 60))
            XCTAssertEqual(bench.canvas.editor.ink.pages[0].strokes[0].points.count, 1001)
            XCTAssertEqual(gdk_window_get_event_compression(gtk_widget_get_window(bench.canvas.widget)), 0)
            XCTAssertEqual(bench.pixels(), bench.fresh())
            bench.close()
        }
    }

    func testAnEraserEndAndABarrelButtonErase() {
        onMain {
            for (source, button) in [(GDK_SOURCE_ERASER, 1), (GDK_SOURCE_PEN, 3)] {
                let bench = InkBench()
                bench.line(from: (50, 100), to: (350, 100))
                bench.time += 200
                bench.line(from: (200, 60), to: (200, 140), button: Int32(button), source)
                XCTAssertEqual(bench.canvas.editor.ink.strokeCount, 2)
                bench.canvas.undo()
                XCTAssertEqual(bench.canvas.editor.ink.strokeCount, 1)
                bench.close()
            }
        }
    }

    func testAPalmIsIgnoredAndTwoFingersZoom() {
        onMain {
            let bench = InkBench()
            @MainActor func touch(_ type: GdkEventType, _ finger: Int32, _ x: Double, _ y: Double) {
                test_ink_touch(
                    bench.canvas.widget, Int32(bitPattern: UInt32(type.rawValue)), finger,
                    bench.sample(x, y, pressure: -1, GDK_SOURCE_TOUCHSCREEN))
            }
            touch(GDK_TOUCH_BEGIN, 1, 100, 100)
            touch(GDK_TOUCH_BEGIN, 2, 200, 100)
            touch(GDK_TOUCH_UPDATE, 2, 300, 100)
            XCTAssertEqual(bench.canvas.zoom, 2, accuracy: 0.001)
            touch(GDK_TOUCH_END, 1, 100, 100)
            touch(GDK_TOUCH_END, 2, 300, 100)
            bench.canvas.drawsWithTouch = true
            touch(GDK_TOUCH_BEGIN, 3, 100, 100)
            touch(GDK_TOUCH_UPDATE, 3, 150, 120)
            touch(GDK_TOUCH_END, 3, 150, 120)
            XCTAssertEqual(bench.canvas.editor.ink.strokeCount, 1)
            bench.line(from: (20, 20), to: (60, 60))
            // The pen was used a moment ago, so this touch counts as the hand that holds it.
            touch(GDK_TOUCH_BEGIN, 4, 100, 100)
            touch(GDK_TOUCH_UPDATE, 4, 200, 200)
            touch(GDK_TOUCH_END, 4, 200, 200)
            XCTAssertEqual(bench.canvas.editor.ink.strokeCount, 2)
            bench.close()
        }
    }

    func testALassoSelectsAndMoves() {
        onMain {
            let bench = InkBench()
            let canvas = bench.canvas
            bench.line(from: (100, 100), to: (140, 140))
            bench.line(from: (300, 200), to: (340, 240))
            canvas.mode = .lasso
            bench.down(bench.sample(80, 80))
            for (x, y) in [(160.0, 80.0), (160, 160), (80, 160)] { bench.move(bench.sample(x, y)) }
            bench.up(bench.sample(80, 80))
            XCTAssertEqual(canvas.selection.count, 1)
            let before = canvas.editor.ink.pages[0].strokes[0].points[0].x
            bench.line(from: (120, 120), to: (160, 120))
            XCTAssertEqual(canvas.editor.ink.pages[0].strokes[0].points[0].x, before + 30, accuracy: 0.01)
            pump { canvas.isComplete }
            XCTAssertEqual(bench.pixels(), bench.fresh())
            let copies = canvas.copySelection()
            canvas.paste(copies)
            XCTAssertEqual(canvas.editor.ink.strokeCount, 3)
            canvas.deleteSelection()
            XCTAssertEqual(canvas.editor.ink.strokeCount, 2)
            canvas.undo()
            canvas.undo()
            canvas.undo()
            XCTAssertEqual(canvas.editor.ink.pages[0].strokes[0].points[0].x, before, accuracy: 0.01)
            bench.close()
        }
    }

    func testAPredictionIsDrawnAndNeverStored() {
        onMain {
            let bench = InkBench()
            bench.down(bench.sample(40, 100))
            for index in 1...10 { bench.move(bench.sample(40 + Double(index) * 8, 100)) }
            // The pen is at 120 px; the visible line is longer.
            let pixels = bench.pixels()
            XCTAssertTrue((123..<132).contains { pixels[4 * (100 * 400 + $0)] < 200 })
            bench.up(bench.sample(120, 100))
            XCTAssertEqual(bench.canvas.editor.ink.pages[0].strokes[0].points.map(\.x).max() ?? 0, 90, accuracy: 0.01)
            XCTAssertEqual(bench.pixels(), bench.fresh())
            bench.close()
        }
    }

    func testAPredictionDisappearsWhenThePenRests() {
        onMain {
            let bench = InkBench()
            bench.down(bench.sample(40, 100))
            for index in 1...10 { bench.move(bench.sample(40 + Double(index) * 8, 100)) }
            @MainActor func isAhead() -> Bool {
                let pixels = bench.pixels()
                return (124..<132).contains { pixels[4 * (100 * 400 + $0)] < 255 }
            }
            XCTAssertTrue(isAhead())
            pump { !isAhead() }
            let pixels = bench.pixels()
            XCTAssertLessThan(pixels[4 * (100 * 400 + 110)], 200, "the line itself is gone")
            bench.up(bench.sample(120, 100))
            XCTAssertEqual(bench.pixels(), bench.fresh())
            bench.close()
        }
    }

    func testADestroyedCanvasMakesNoCalls() {
        onMain {
            let bench = InkBench()
            bench.canvas.onChange = { _ in XCTFail("it was destroyed") }
            bench.down(bench.sample(40, 40))
            bench.close()
            bench.canvas.undo()
            bench.canvas.zoom = 3
            bench.canvas.setBackdrop(nil, page: 0)
            XCTAssertFalse(bench.canvas.isThere)
        }
    }

    func testAssistiveTechnologyIsToldThePage() {
        onMain {
            let bench = InkBench()
            bench.line(from: (30, 30), to: (60, 60))
            XCTAssertEqual(Accessible(of: bench.canvas.widget).name, "Ink, page 1 of 1, 1 item")
            bench.close()
        }
    }

    /// Costs that must not grow with the document, measured in the thread's processor time. The limits are several
    /// times the usual values.
    func testALivePointCostsNoMoreWithManyStrokes() {
        onMain {
            @MainActor func cost(_ count: Int) -> Double {
                let strokes = (0..<count).map { index in
                    Stroke(
                        (0..<60).map {
                            InkPoint(x: Float(index % 280) + Float($0) / 6, y: Float(index % 190) + Float($0) / 2)
                        })
                }
                let page = InkPage(width: 300, height: 225, layers: [InkLayer(strokes: strokes)])
                let bench = InkBench(InkEditor(Ink(pages: [page])))
                pump { bench.canvas.isComplete }
                bench.down(bench.sample(50, 50))
                let start = threadNanoseconds()
                for index in 0..<500 {
                    bench.move(bench.sample(100 + Double(index % 200), 100 + Double(index * 7 % 100)))
                }
                let time = threadNanoseconds() - start
                bench.up(bench.sample(60, 60))
                bench.close()
                return time / 500
            }
            _ = cost(10)
            let (few, many) = ((0..<3).map { _ in cost(200) }.min()!, (0..<3).map { _ in cost(4000) }.min()!)
            XCTAssertLessThan(many, 3 * few)
        }
    }
}

/// The processor time of this thread, in nanoseconds.
private func threadNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
