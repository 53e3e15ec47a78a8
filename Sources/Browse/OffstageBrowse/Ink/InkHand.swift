import CGTK
import Foundation
import OffstageGTK
import OffstageWebKit

/// Writes on a canvas as a hand does: with events of the pointer, through GTK.
@MainActor
final class InkHand {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let pointer: OpaquePointer
    /// Milliseconds of the display server's clock, which continues for the next hand.
    private static var clock: guint32 = 1_000
    private var time: guint32 {
        get { Self.clock }
        set { Self.clock = newValue }
    }
    /// Milliseconds of processor time that each motion took.
    var motions: [Double] = []

    init(on widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        pointer = gdk_seat_get_pointer(gdk_display_get_default_seat(gtk_widget_get_display(widget)))
    }

    /// Pauses, so that the next movement is a separate gesture.
    func pause() { time += 400 }

    func down(_ x: Double, _ y: Double) { button(GDK_BUTTON_PRESS, x, y) }
    func up(_ x: Double, _ y: Double) { button(GDK_BUTTON_RELEASE, x, y) }

    /// - Parameter step: milliseconds since the event before.
    func move(_ x: Double, _ y: Double, step: guint32 = 4) {
        time += step
        let event = gdk_event_new(GDK_MOTION_NOTIFY)!
        (event.pointee.motion.x, event.pointee.motion.y, event.pointee.motion.time) = (x, y, time)
        let start = LoopGaps.thread
        send(event)
        motions.append(LoopGaps.thread - start)
    }

    /// Writes a winding stroke of this many points.
    func write(_ count: Int, atX x: Double, y: Double, seed: Int) {
        func place(_ index: Int) -> (Double, Double) {
            let way = Double(index)
            return (x + way * 0.7 + 4 * sin(way / 3 + Double(seed)), y + 6 * cos(way / 5 + Double(seed % 7)))
        }
        let (start, end) = (place(0), place(count - 1))
        down(start.0, start.1)
        for index in 1..<count { move(place(index).0, place(index).1) }
        up(end.0, end.1)
        pause()
    }

    private func button(_ type: GdkEventType, _ x: Double, _ y: Double) {
        time += 4
        let event = gdk_event_new(type)!
        (event.pointee.button.x, event.pointee.button.y, event.pointee.button.time) = (x, y, time)
        event.pointee.button.button = 1
        send(event)
    }

    private func send(_ event: UnsafeMutablePointer<GdkEvent>) {
        let window = gtk_widget_get_window(widget)
        g_object_ref(gpointer(window))
        event.pointee.any.window = window
        gdk_event_set_device(event, pointer)
        gtk_main_do_event(event)
        gdk_event_free(event)
    }
}
