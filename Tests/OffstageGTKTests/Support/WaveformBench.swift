import CGTK
import CTestEvents
import Foundation
import Offstage
import OffstageSound

@testable import OffstageGTK

/// A waveform in a window on the host's display.
@MainActor
final class WaveformBench {
    let window: UnsafeMutablePointer<GtkWidget>
    let view: WaveformView
    let engine = SoundEngine(workers: 1)

    /// - Parameters:
    ///   - seconds: the length of the sound.
    ///   - width: the width of the window, in GTK px.
    init(seconds: Int = 10, width: Int32 = 340) {
        HostDisplay.start()
        let waveform = Waveform(identifier: "sound", sound: Sound(Self.wav(seconds)))
        view = WaveformView(renderer: Renderer(engine: engine), waveform: waveform)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), width, 90)
        gtk_container_add(cast(window), view.widget)
        // A tooltip's window would cover the pixels that the tests read.
        gtk_widget_set_has_tooltip(view.widget, 0)
        gtk_widget_show(window)
    }

    /// Tones of increasing loudness, with 1,000 samples per second.
    private static func wav(_ seconds: Int) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        let count = seconds * 1000
        let samples = (0..<count).map { Int(sin(Double($0)) * 32_000 * Double($0 % 1000) / 1000) }
        var data = Data("RIFF".utf8) + Data(bytes(36 + 2 * count, 4)) + Data("WAVEfmt ".utf8)
        for (number, size) in [(16, 4), (1, 2), (1, 2), (1000, 4), (2000, 4), (2, 2), (16, 2)] {
            data += Data(bytes(number, size))
        }
        return data + Data("data".utf8) + Data(bytes(2 * count, 4)) + Data(samples.flatMap { bytes($0, 2) })
    }

    /// Waits until the pictures of the current size and part are on the screen.
    @discardableResult
    func pumpUntilComplete() -> Bool {
        let isComplete = pump { self.view.pictures.areCurrent && self.view.duration > 0 && self.view.width > 1 }
        settle()
        return isComplete
    }

    /// Lets the server's events arrive and the next frames run.
    func settle() {
        gdk_display_sync(gdk_display_get_default())
        let clock = gtk_widget_get_frame_clock(view.widget)
        for _ in 0..<2 {
            let before = gdk_frame_clock_get_frame_counter(clock)
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_UPDATE)
            pump { gdk_frame_clock_get_frame_counter(clock) > before }
        }
        while g_main_context_iteration(nil, 0) != 0 {}
    }

    var screen: Screen { Screen(of: view.widget) }

    /// The screen with nothing played, and with everything played.
    func wholeScreens() -> (unplayed: Screen, played: Screen) {
        view.setPosition(view.visible.lowerBound, rate: 0)
        settle()
        let unplayed = screen
        view.setPosition(view.visible.upperBound, rate: 0)
        settle()
        return (unplayed, screen)
    }

    /// The columns that differ from the expected screens, to the left and right of the edge.
    func wrongColumns(_ pair: (unplayed: Screen, played: Screen)) -> Int {
        let (screen, edge) = (screen, view.edge)
        return (0..<screen.width).count { x in
            let expected = x < edge ? pair.played : pair.unplayed
            return (0..<screen.height).contains { screen[x, $0] != expected[x, $0] }
        }
    }

    func move(_ x: Int) {
        var (left, top) = (gint(), gint())
        gdk_window_get_origin(gtk_widget_get_window(view.widget), &left, &top)
        test_pointer_move(left + Int32(x), top + 40)
        settle()
    }

    func press(_ key: Int32) {
        test_key(gulong(key), 1)
        test_key(gulong(key), 0)
        settle()
    }

    func close() { if view.isThere { gtk_widget_destroy(window) } }
}
