import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// Limits a renderer's drawings while the frames of a widget's window are at risk, according to `FrameGovernor`.
///
/// It measures the frames between `begin` and `end`: the time between when a frame was due and when it was painted. A
/// host calls `begin` when something starts to move and `end` when all movement has stopped.
@MainActor
public final class FrameGuard {
    /// Called after each change of the allowance.
    public var onChange: ((FrameGovernor.Allowance) -> Void)?

    private let renderer: Renderer
    private let widget: WeakObject
    private var governor: FrameGovernor
    /// The allowance that `lease` last gave to the renderer.
    private var allowance = FrameGovernor.Allowance.all
    private var lease: SuspensionLease?
    /// A timer that raises the allowance at `change`.
    private var timer: (timer: LoopTimer, change: ContinuousClock.Instant)?
    private var clock: RunningClock?
    /// The number of drawings that had been started before the last frame.
    private var lastStarted = 0
    /// False until the first frame of a movement, whose cost is due to the host's own new items rather than to
    /// drawings.
    private var hasPainted = false

    /// - Parameters:
    ///   - renderer: the renderer to limit.
    ///   - widget: a widget of the window. It is not retained.
    ///   - times: the thresholds.
    public init(
        _ renderer: Renderer, widget: UnsafeMutablePointer<GtkWidget>, times: FrameGovernor.Times = .init()
    ) {
        self.renderer = renderer
        self.widget = WeakObject(widget)
        governor = FrameGovernor(times: times)
    }

    isolated deinit { end() }

    /// Starts to measure frames. Has no effect if the widget is not realized, or after an earlier call without `end`.
    public func begin() {
        if clock != nil { return }
        hasPainted = false
        let clock = widget.with { gtk_widget_get_frame_clock($0.assumingMemoryBound(to: GtkWidget.self)) } ?? nil
        self.clock = clock.map { clock in
            RunningClock(clock) { [weak self] late in
                self?.framePainted(late)
            }
        }
    }

    /// Stops measuring, and allows all drawings.
    public func end() {
        clock = nil
        governor.rest()
        apply()
    }

    private func framePainted(_ late: Duration) {
        let started = renderer.counters.started
        if hasPainted {
            governor.noteFrame(late: late, isDrawing: renderer.runningCount > 0 || started != lastStarted, at: .now)
        }
        (hasPainted, lastStarted) = (true, started)
        apply()
    }

    private func apply() {
        wait(until: governor.nextChange)
        if governor.allowance == allowance { return }
        allowance = governor.allowance
        // Take the new lease before the old one ends, so that nothing starts in between.
        let new: SuspensionLease? =
            switch allowance {
            case .all: nil
            case .one: renderer.limitDrawings(to: 1)
            case .none: renderer.limitDrawings(to: 0)
            }
        lease?.end()
        lease = new
        onChange?(allowance)
    }

    private func wait(until change: ContinuousClock.Instant?) {
        if change == timer?.change { return }
        timer = change.map { change in
            let seconds = ContinuousClock.now.duration(to: change) / .seconds(1)
            let timer = LoopTimer(seconds: max(0, seconds) + 0.001) { [weak self] in
                self?.timer = nil
                self?.governor.update(at: .now)
                self?.apply()
            }
            return (timer, change)
        }
    }
}

/// Keeps a frame clock ticking as long as it exists, and reports how late each frame is.
///
/// Without it, a clock ticks only for requested frames, and a pause between two steps of a wheel would look like a late
/// frame.
@MainActor
private final class RunningClock {
    /// Retained: GDK may replace the widget's clock.
    private let clock: OpaquePointer
    private let painted: (Duration) -> Void
    private let handlers = SignalHandlers()
    /// Microseconds of GLib's monotonic clock; nil before the first frame.
    private var lastFrame: gint64?

    /// - Parameter painted: called after each frame, with the time between when the frame was due and when it was
    ///   painted.
    init(_ clock: OpaquePointer, painted: @escaping (Duration) -> Void) {
        (self.clock, self.painted) = (clock, painted)
        g_object_ref(gpointer(clock))
        let after: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: RunningClock.self)?.framePainted() }
        }
        handlers.connect("after-paint", of: gpointer(clock), unsafeBitCast(after, to: GCallback.self), to: self)
        gdk_frame_clock_begin_updating(clock)
    }

    isolated deinit {
        gdk_frame_clock_end_updating(clock)
        handlers.disconnect()
        g_object_unref(gpointer(clock))
    }

    private func framePainted() {
        let time = gdk_frame_clock_get_frame_time(clock)
        var interval: gint64 = 0
        gdk_frame_clock_get_refresh_info(clock, time, &interval, nil)
        // A frame is due one interval after the one before, even if it began later.
        let due = lastFrame.map { min(time, $0 + interval) } ?? time
        lastFrame = time
        painted(.microseconds(g_get_monotonic_time() - due))
    }
}
