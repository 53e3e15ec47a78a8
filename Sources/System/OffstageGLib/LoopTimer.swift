import CGLib

/// A timer of GLib's loop. It ends with this object, or with `stop`.
@MainActor
package final class LoopTimer {
    /// The order in which the loop runs timers and frames that are due together.
    package enum Urgency {
        /// Before the frames of windows: for a timer that fires once, or that enforces a limit.
        case limit
        /// Alternating with frames, so that a repeating timer that is always due cannot keep a window from being
        /// painted.
        case frames

        fileprivate var priority: gint {
            switch self {
            case .limit: G_PRIORITY_DEFAULT
            // GDK_PRIORITY_REDRAW, a macro.
            case .frames: G_PRIORITY_HIGH_IDLE + 20
            }
        }
    }

    private var source: guint = 0
    private let repeats: Bool
    private let body: () -> Void

    /// - Parameters:
    ///   - seconds: until the first call, and between calls.
    ///   - body: must not retain the timer's owner, which retains the timer.
    package init(
        seconds: Double, repeats: Bool = false, urgency: Urgency = .limit, _ body: @escaping @MainActor () -> Void
    ) {
        (self.repeats, self.body) = (repeats, body)
        let milliseconds = min(max(1, (seconds * 1000).rounded()), Double(guint.max))
        source = g_timeout_add_full(
            urgency.priority, guint(milliseconds),
            { data in onMainActor(data!) { receiver($0, as: LoopTimer.self)?.fire() ?? false ? 1 : 0 } },
            CallbackTarget.data(for: self), CallbackTarget.release)
    }

    isolated deinit { stop() }

    package func stop() {
        if source != 0 { g_source_remove(source) }
        source = 0
    }

    /// - Returns: whether the timer continues.
    private func fire() -> Bool {
        if !repeats { source = 0 }
        body()
        return source != 0
    }
}
