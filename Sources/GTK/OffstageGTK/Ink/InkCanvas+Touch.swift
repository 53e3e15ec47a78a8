import CGTK
import Foundation
import OffstageInk

/// Fingers: they scroll and zoom, or draw.
extension InkCanvas {
    /// The time after a pen's last event in which a touch counts as the palm, microseconds.
    private static let palmTime: gint64 = 500_000

    /// True while a pen is near, or was a moment ago.
    private var ignoresTouch: Bool {
        isPenNear || (penTime != .min && g_get_monotonic_time() - penTime < Self.palmTime)
    }

    func touched(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        // The sequence is a number that GDK passes as a pointer.
        let identifier = ~Int(bitPattern: gdk_event_get_event_sequence(event).map { UnsafeRawPointer($0) })
        switch event.pointee.type {
        case GDK_TOUCH_BEGIN:
            if ignoresTouch { return true }
            // Fingers scroll and zoom the widget below.
            if isOverlay, !drawsWithTouch || !chooseLeaf(x: sample(event).x, y: sample(event).y) { return false }
            if !isOverlay { gtk_widget_grab_focus(area) }
            begin(identifier, sample(event), mode: drawsWithTouch && fingers.isEmpty ? mode : .move)
        case _ where isOverlay && pointers[identifier] == nil: return false
        case GDK_TOUCH_UPDATE: moveFinger(identifier, sample(event))
        case GDK_TOUCH_END: end(identifier, sample(event))
        default: cancel(identifier)
        }
        return true
    }

    /// The fingers that are down, in a fixed order.
    private var fingers: [Int] { pointers.keys.filter { $0 < 0 }.sorted() }

    /// With two fingers down, zooms around the finger that is not moving.
    private func moveFinger(_ identifier: Int, _ sample: InkSample) {
        let fingers = fingers
        guard fingers.count == 2, fingers.contains(identifier), let other = fingers.first(where: { $0 != identifier }),
            let old = pointers[identifier]?.last, let fixed = pointers[other]?.last,
            pointers[identifier]?.mode == .move, pointers[other]?.mode == .move
        else { return move(identifier, sample) }
        let before = hypot(old.x - fixed.x, old.y - fixed.y)
        let now = hypot(sample.x - fixed.x, sample.y - fixed.y)
        if before > 1, now > 1 { setZoom(magnification * now / before, aroundX: fixed.x, y: fixed.y) }
        pointers[identifier]?.last = (sample.x, sample.y)
    }
}
