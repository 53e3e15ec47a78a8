import CWebKitGTK
import Offstage
import OffstageGLib

/// Limits a renderer's drawings while the frames of a widget's window are at risk, by the rules of `FrameGovernor`.
///
/// It measures the frames between `begin` and `end`: from the time at which a frame was due until it was painted. A host
/// calls `begin` when something starts to move and `end` when nothing moves any more.
@MainActor
public final class FrameGuard {
    /// Called after each change of the allowance.
    public var onChange: ((FrameGovernor.Allowance) -> Void)?

    private let renderer: Renderer
    private let widget: WeakObject
    private var governor: FrameGovernor
    private var lease: SuspensionLease?
    private var timer: LoopTimer?
    private let painted = SignalHandlers()
    /// Microseconds of GLib's monotonic clock; nil before the first frame of a movement.
    private var lastFrame: gint64?

    private static let interval: gint64 = 16_667

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

    /// Starts to measure frames. Has no effect if the widget is not realized.
    public func begin() {
        let clock = widget.with { gtk_widget_get_frame_clock($0.assumingMemoryBound(to: GtkWidget.self)) } ?? nil
        guard let clock else { return }
        painted.disconnect()
        lastFrame = nil
        let after: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { clock, data in
            onMainActor((clock, data)) { clock, data in
                receiver(data, as: FrameGuard.self)?.framePainted(gdk_frame_clock_get_frame_time(OpaquePointer(clock)))
            }
        }
        painted.connect("after-paint", of: gpointer(clock), unsafeBitCast(after, to: GCallback.self), to: self)
    }

    /// Stops measuring, and allows all drawings.
    public func end() {
        painted.disconnect()
        governor.rest()
        apply()
    }

    /// - Parameter time: the time at which the frame began, microseconds.
    private func framePainted(_ time: gint64) {
        // If the frame before was the last one in time, this one was due an interval later, whenever it began.
        let isNext = lastFrame.map { time - $0 < 10 * Self.interval } ?? false
        let due = isNext ? min(time, lastFrame! + Self.interval) : time
        lastFrame = time
        governor.noteFrame(late: .microseconds(g_get_monotonic_time() - due), at: .now)
        apply()
    }

    private func apply() {
        timer = governor.nextChange.map { change in
            let seconds = ContinuousClock.now.duration(to: change) / .seconds(1)
            return LoopTimer(seconds: max(0, seconds) + 0.001) { [weak self] in
                self?.governor.update(at: .now)
                self?.apply()
            }
        }
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

    private var allowance = FrameGovernor.Allowance.all
}
