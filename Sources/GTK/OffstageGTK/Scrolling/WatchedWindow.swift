import CGTK
import OffstageGLib

/// A scrolled window whose adjustments are reported, including replacements. It is not retained.
@MainActor
final class WatchedWindow {
    typealias Adjustment = UnsafeMutablePointer<GtkAdjustment>

    private let window: WeakObject
    private let changed: (_ old: Adjustment?, _ new: Adjustment?) -> Void
    /// The horizontal and the vertical adjustment, only for comparison: they may be destroyed.
    private var adjustments: [Adjustment?] = [nil, nil]
    private let handlers = SignalHandlers()
    private var end: ObjectWatch?

    /// - Parameter changed: called for the current adjustments, and for each replacement.
    init(
        _ window: UnsafeMutablePointer<GtkScrolledWindow>,
        changed: @escaping (_ old: Adjustment?, _ new: Adjustment?) -> Void, gone: @escaping (WatchedWindow) -> Void
    ) {
        self.window = WeakObject(window)
        self.changed = changed
        let replaced: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, gpointer) -> Void = {
            onMainActor($2) { receiver($0, as: WatchedWindow.self)?.look() }
        }
        for property in ["hadjustment", "vadjustment"] {
            handlers.connect(
                "notify::" + property, of: window, unsafeBitCast(replaced, to: GCallback.self), to: self)
        }
        end = ObjectWatch(window) { [weak self] in
            if let self { gone(self) }
        }
        look()
    }

    func watches(_ other: UnsafeMutablePointer<GtkScrolledWindow>) -> Bool {
        window.with { $0 == gpointer(other) } ?? false
    }

    private func look() {
        let now = window.with { object -> [Adjustment?] in
            let window: UnsafeMutablePointer<GtkScrolledWindow> = object.assumingMemoryBound(to: GtkScrolledWindow.self)
            return [gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)]
        }
        guard let now else { return }
        for index in now.indices where now[index] != adjustments[index] {
            let old = adjustments[index]
            adjustments[index] = now[index]
            changed(old, now[index])
        }
    }
}
