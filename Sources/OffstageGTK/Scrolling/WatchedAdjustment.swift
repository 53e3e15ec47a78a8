import CWebKitGTK
import OffstageWebKit

/// An adjustment that is watched and not kept.
@MainActor
final class WatchedAdjustment {
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let moved: () -> Void
    private let gone: (WatchedAdjustment) -> Void
    private var handler: gulong = 0
    private var isThere = true

    init(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>, moved: @escaping () -> Void,
        gone: @escaping (WatchedAdjustment) -> Void
    ) {
        self.adjustment = adjustment
        self.moved = moved
        self.gone = gone
        let changed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { object($0, as: WatchedAdjustment.self).moved() }
        }
        handler = g_signal_connect_data(
            adjustment, "value-changed", unsafeBitCast(changed, to: GCallback.self), unretained(self), nil,
            GConnectFlags(rawValue: 0))
        g_object_weak_ref(cast(adjustment), Self.onGone, unretained(self))
    }

    isolated deinit {
        if !isThere { return }
        g_signal_handler_disconnect(adjustment, handler)
        g_object_weak_unref(cast(adjustment), Self.onGone, unretained(self))
    }

    private static let onGone: GWeakNotify = { data, _ in
        onMainActor(data!) { data in
            let watched = object(data, as: WatchedAdjustment.self)
            watched.isThere = false
            watched.gone(watched)
        }
    }
}
