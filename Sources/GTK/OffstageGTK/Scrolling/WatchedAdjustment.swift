import CGTK
import OffstageGLib

/// A watched adjustment, which is not retained.
@MainActor
final class WatchedAdjustment {
    /// Only for comparison: the adjustment may be destroyed.
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let moved: () -> Void
    private let handlers = SignalHandlers()
    private let object: WeakObject
    private var end: ObjectWatch?

    init(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>, moved: @escaping () -> Void,
        gone: @escaping (WatchedAdjustment) -> Void
    ) {
        self.adjustment = adjustment
        self.moved = moved
        object = WeakObject(adjustment)
        let changed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: WatchedAdjustment.self)?.moved() }
        }
        handlers.connect("value-changed", of: adjustment, unsafeBitCast(changed, to: GCallback.self), to: self)
        end = ObjectWatch(adjustment) { [weak self] in
            if let self { gone(self) }
        }
    }

    /// A new adjustment may have the address of a destroyed one.
    func watches(_ other: UnsafeMutablePointer<GtkAdjustment>) -> Bool { other == adjustment && object.exists }
}
