import CWebKitGTK

/// A timer of GLib's loop. It ends with this object, which is its owner's alone.
@MainActor
package final class LoopTimer {
    /// What goes first when more than this is due.
    package enum Urgency {
        /// Before the frames of windows: for what is due once, or looks after a limit.
        case limit
        /// By turns with them, so that a timer that is always due keeps no window from being painted: for what repeats.
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
    ///   - body: must not keep the timer's owner, which keeps the timer.
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

    /// - Returns: whether it goes on.
    private func fire() -> Bool {
        if !repeats { source = 0 }
        body()
        return source != 0
    }
}
