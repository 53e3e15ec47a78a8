import CWebKitGTK
import OffstageWebKit

/// A scrolled window whose adjustments are told, those that it gets later too. It is not kept.
@MainActor
final class WatchedWindow {
    typealias Adjustment = UnsafeMutablePointer<GtkAdjustment>

    let window: UnsafeMutablePointer<GtkScrolledWindow>
    private let changed: (_ old: Adjustment?, _ new: Adjustment?) -> Void
    private let gone: (WatchedWindow) -> Void
    /// The horizontal one and the vertical one, for comparison alone: they may be gone.
    private var adjustments: [Adjustment?] = [nil, nil]
    private let connections = SignalConnections()
    private var isThere = true

    /// - Parameter changed: called for those that are there, and for each that takes another's place.
    init(
        _ window: UnsafeMutablePointer<GtkScrolledWindow>,
        changed: @escaping (_ old: Adjustment?, _ new: Adjustment?) -> Void, gone: @escaping (WatchedWindow) -> Void
    ) {
        self.window = window
        self.changed = changed
        self.gone = gone
        let replaced: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, gpointer) -> Void = {
            onMainActor($2) { object($0, as: WatchedWindow.self).look() }
        }
        for property in ["hadjustment", "vadjustment"] {
            connections.connect("notify::" + property, of: window, unsafeBitCast(replaced, to: GCallback.self), self)
        }
        g_object_weak_ref(cast(window), Self.onGone, unretained(self))
        look()
    }

    isolated deinit {
        if !isThere { return }
        connections.disconnect()
        g_object_weak_unref(cast(window), Self.onGone, unretained(self))
    }

    private func look() {
        let now = [gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)]
        for index in now.indices where now[index] != adjustments[index] {
            let old = adjustments[index]
            adjustments[index] = now[index]
            changed(old, now[index])
        }
    }

    private static let onGone: GWeakNotify = { data, _ in
        onMainActor(data!) { data in
            let watched = object(data, as: WatchedWindow.self)
            watched.isThere = false
            watched.gone(watched)
        }
    }
}
