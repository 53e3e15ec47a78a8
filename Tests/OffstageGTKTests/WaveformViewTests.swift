import CGTK
import CTestEvents
import Offstage
import OffstageSound
import XCTest

@testable import OffstageGTK

/// A waveform on the screen during playback.
final class WaveformViewTests: XCTestCase {
    func testEachStepPaintsOneStripOfTheStoredPictures() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            XCTAssertEqual(view.duration, 10)
            let pair = bench.wholeScreens()
            XCTAssertGreaterThan(pair.unplayed.differences(to: pair.played), 1000)
            // The test's own clock: one step is 10 s / 340 px.
            var time = 0.0
            view.now = { time }
            view.setPosition(2, rate: 1)
            bench.settle()
            for step in 0..<12 {
                let (before, edge) = (view.draws, view.edge)
                time += 10.0 / 340
                view.update()
                bench.settle()
                XCTAssertEqual(view.edge, edge + 1, "\(step)")
                XCTAssertEqual(view.draws, before + 1, "\(step)")
                XCTAssertEqual(bench.wrongColumns(pair), 0, "\(step)")
            }
            // Progress of less than one device px paints nothing.
            let before = view.draws
            time += 0.5 / 340
            view.update()
            bench.settle()
            XCTAssertEqual(view.draws, before)
            bench.close()
        }
    }

    func testATimerMovesTheEdgeOneStepAtATime() {
        onMain {
            let bench = WaveformBench(seconds: 10)
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            let pair = bench.wholeScreens()
            view.setPosition(1, rate: 1)
            bench.settle()
            let (draws, edge) = (view.draws, view.edge)
            XCTAssert(pump { view.edge >= edge + 20 }, "the edge does not move")
            XCTAssertLessThanOrEqual(view.draws - draws, view.edge - edge + 1)
            XCTAssertGreaterThan(view.draws - draws, 0)
            view.setPosition(view.position, rate: 0)
            bench.settle()
            XCTAssertFalse(view.isTimerSet)
            XCTAssertEqual(bench.wrongColumns(pair), 0)
            // Playback stops at the end.
            view.setPosition(9.9, rate: 1)
            XCTAssert(pump { view.edge == 340 })
            XCTAssert(pump { !view.isTimerSet })
            bench.close()
        }
    }

    func testNothingIsPaintedWhilePausedOrHidden() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            var time = 0.0
            view.now = { time }
            view.setPosition(3, rate: 0)
            bench.settle()
            var draws = view.draws
            time = 100
            view.update()
            bench.settle()
            XCTAssertEqual(view.draws, draws)
            XCTAssertFalse(view.isTimerSet)
            view.setPosition(3, rate: 1)
            XCTAssert(view.isTimerSet)
            gtk_widget_hide(bench.window)
            XCTAssertFalse(view.isTimerSet)
            draws = view.draws
            time = 102
            view.update()
            while g_main_context_iteration(nil, 0) != 0 {}
            XCTAssertEqual(view.draws, draws)
            gtk_widget_show(bench.window)
            XCTAssert(pump { view.isTimerSet })
            XCTAssertEqual(view.edge, 170)
            bench.close()
        }
    }

    func testClicksDragsAndKeysChooseAPosition() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            let pair = bench.wholeScreens()
            var sought: [Double] = []
            view.onSeek = { sought.append($0) }
            bench.move(34)
            test_button(1, 1)
            bench.settle()
            XCTAssertEqual(sought, [1])
            XCTAssertEqual(view.edge, 34)
            for x in [68, 200, 102] {
                let draws = view.draws
                bench.move(x)
                XCTAssertEqual(view.edge, x)
                XCTAssertLessThanOrEqual(view.draws, draws + 1)
                XCTAssertEqual(bench.wrongColumns(pair), 0)
            }
            test_button(1, 0)
            bench.settle()
            bench.move(300)
            XCTAssertEqual(view.edge, 102, "no drag without a button")
            sought = []
            for key in [GDK_KEY_Right, GDK_KEY_Left, GDK_KEY_End, GDK_KEY_Home] { bench.press(key) }
            XCTAssertEqual(sought, [8, 3, 10, 0])
            bench.close()
        }
    }

    func testAPartHasPicturesOfItsOwnFromTheSamePeaks() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            let whole = bench.wholeScreens()
            var visible: Range<Double>?
            view.onZoom = { visible = $0 }
            bench.move(170)
            test_button(4, 1)
            test_button(4, 0)
            XCTAssert(pump { visible != nil })
            XCTAssertEqual(visible?.lowerBound ?? 0, 1, accuracy: 0.05)
            XCTAssertEqual(visible?.upperBound ?? 0, 9, accuracy: 0.05)
            XCTAssert(bench.pumpUntilComplete())
            let part = bench.wholeScreens()
            XCTAssertGreaterThan(part.unplayed.differences(to: whole.unplayed), 500)
            view.setPosition(5, rate: 0)
            bench.settle()
            XCTAssertEqual(view.edge, 170)
            XCTAssertEqual(bench.wrongColumns(part), 0)
            XCTAssertEqual(bench.engine.decodings, 1)
            view.visible = 4..<4
            XCTAssertEqual(view.visible.upperBound - view.visible.lowerBound, 0.01, accuracy: 1e-9)
            view.visible = -100..<1000
            XCTAssertEqual(view.visible, 0..<10)
            bench.close()
        }
    }

    func testAScreenReaderGetsASlider() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let view = bench.view
            view.accessibleName = "A song"
            let slider = Accessible(of: view.widget)
            XCTAssertEqual(slider.role, ATK_ROLE_SLIDER)
            XCTAssertEqual(slider.name, "A song")
            view.setPosition(4, rate: 0)
            var value = 0.0
            var text: UnsafeMutablePointer<CChar>?
            atk_value_get_value_and_text(OpaquePointer(slider.object), &value, &text)
            XCTAssertEqual(value, 4)
            XCTAssertEqual(text.map { String(cString: $0) }, "0:04 of 0:10")
            g_free(text)
            let range = atk_value_get_range(OpaquePointer(slider.object))
            XCTAssertEqual(atk_range_get_upper_limit(range), 10)
            atk_range_free(range)
            var sought: [Double] = []
            view.onSeek = { sought.append($0) }
            for seconds in [7, -5, 1e300, Double.nan] { atk_value_set_value(OpaquePointer(slider.object), seconds) }
            XCTAssertEqual(sought, [7, 0, 10])
            // The object outlives the widget.
            bench.close()
            atk_value_get_value_and_text(OpaquePointer(slider.object), &value, nil)
            XCTAssertEqual(value, 0)
            atk_value_set_value(OpaquePointer(slider.object), 3)
        }
    }

    func testManyViewsEndWithTheirOwners() {
        onMain {
            let bench = WaveformBench()
            XCTAssert(bench.pumpUntilComplete())
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            gtk_container_add(cast(window), box)
            var views = (0..<100).map { _ in WaveformView(renderer: bench.view.renderer, waveform: bench.view.waveform)
            }
            for view in views { gtk_box_pack_start(cast(box), view.widget, 1, 1, 0) }
            gtk_window_set_default_size(cast(window), 340, 700)
            gtk_widget_show_all(window)
            XCTAssert(pump { views.allSatisfy { $0.pictures.areCurrent } })
            for view in views { view.setPosition(1, rate: 1) }
            XCTAssertEqual(bench.engine.decodings, 1)
            weak let last = views.last
            views.removeLast(50)
            XCTAssertNil(last)
            gtk_widget_destroy(window)
            XCTAssert(views.allSatisfy { !$0.isThere && !$0.isTimerSet })
            views[0].setPosition(2, rate: 1)
            bench.close()
        }
    }

    func testARowOfAListTurnsIntoAView() {
        onMain {
            let bench = WaveformBench(seconds: 10)
            XCTAssert(bench.pumpUntilComplete())
            let renderer = bench.view.renderer
            var views: [WaveformView] = []
            let provider = LiveWaveforms(renderer: renderer) { views.append($0) }
            let list = PictureList(
                renderer: renderer, source: SoundRows(bench.view.waveform), liveRows: [provider])
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            gtk_window_set_default_size(cast(window), 400, 600)
            gtk_container_add(cast(window), list.widget)
            gtk_widget_show_all(window)
            XCTAssert(
                pump(seconds: 60) {
                    list.slots.window.visible.count > 3
                        && list.slots.window.visible.allSatisfy { list.slots[$0]?.picture?.quality == .full }
                })
            list.makeLive(row: 2)
            XCTAssert(pump { list.isLive(row: 2) })
            XCTAssertEqual(views.map(\.waveform.identifier), ["sound/2"])
            views[0].setPosition(5, rate: 1)
            XCTAssertGreaterThan(views[0].edge, 0)
            XCTAssert(views[0].isTimerSet)
            list.makeStill(row: 2)
            XCTAssertFalse(views[0].isThere)
            XCTAssertFalse(views[0].isTimerSet)
            // A live row that ends before its pictures are drawn.
            list.makeLive(row: 1)
            XCTAssert(pump { views.count == 2 })
            gtk_widget_destroy(window)
            XCTAssert(pump { !views[1].isThere })
            XCTAssertEqual(bench.engine.decodings, 1)
            bench.close()
        }
    }
}

/// A list that shows one sound in a hundred rows.
@MainActor
private final class SoundRows: ListSource {
    private let waveform: Waveform
    let rowCount = 100

    init(_ waveform: Waveform) { self.waveform = waveform }

    func identifier(at row: Int) -> String { "sound/\(row)" }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        var request = waveform
        request.identifier = identifier(at: row)
        request.style.width = width
        request.style.height = 60
        request.scale = scale
        return request
    }
}
