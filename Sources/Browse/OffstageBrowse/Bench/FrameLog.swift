import CGTK
import Foundation
import OffstageGTK
import OffstageWebKit

/// Records when a widget's frames were due and when they were painted, according to its frame clock.
@MainActor
final class FrameLog {
    /// Milliseconds from when a frame was due until it was painted.
    private(set) var moving: [Double] = []
    private(set) var resting: [Double] = []
    /// Called before each frame is painted, with the seconds since the start; false ends the log.
    private let step: (Double) -> Bool

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var isMoving = false
    /// Microseconds of GLib's monotonic clock.
    private var start: gint64 = 0
    private var last: gint64 = 0
    private var due: gint64 = 0
    private let painted = SignalHandlers()
    private var whenOver: CheckedContinuation<Void, Never>?

    private static let interval: gint64 = 16_667

    init(of widget: UnsafeMutablePointer<GtkWidget>, step: @escaping (Double) -> Bool) {
        (self.widget, self.step) = (widget, step)
    }

    /// Waits until the log has ended.
    func run() async {
        // Paint a frame for each tick of the clock, even if nothing has changed.
        addTick(to: widget, for: self) { _, clock, data in
            onMainActor((clock, data!)) { clock, data in
                receiver(data, as: FrameLog.self)?.begin(gdk_frame_clock_get_frame_time(clock)) ?? false ? 1 : 0
            }
        }
        let after: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: FrameLog.self)?.end() }
        }
        let clock = gtk_widget_get_frame_clock(widget)!
        painted.connect("after-paint", of: gpointer(clock), unsafeBitCast(after, to: GCallback.self), to: self)
        await withCheckedContinuation { whenOver = $0 }
        painted.disconnect()
    }

    /// Sets the state for the next frames.
    func note(isMoving: Bool) { self.isMoving = isMoving }

    private func begin(_ time: gint64) -> Bool {
        if start == 0 { start = time }
        due = last == 0 ? time : min(time, last + Self.interval)
        last = time
        gtk_widget_queue_draw(widget)
        if step(Double(time - start) / 1e6) { return true }
        whenOver?.resume()
        whenOver = nil
        return false
    }

    private func end() {
        if due == 0 { return }
        let late = Double(g_get_monotonic_time() - due) / 1e3
        if isMoving { moving.append(late) } else { resting.append(late) }
        due = 0
    }
}
