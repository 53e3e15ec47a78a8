import CGTK
import CTestEvents

@testable import OffstageGTK

/// A view in a window on the host's display, and simulated input. Points are px from the view's top left corner.
@MainActor
protocol HostBench: AnyObject {
    var canvas: Canvas { get }
    var pointer: ItemPointer { get }
    var window: UnsafeMutablePointer<GtkWidget> { get }
}

extension HostBench {
    var inner: UnsafeMutablePointer<GtkWidget> { canvas.inner }

    func move(_ x: Int, _ y: Int) {
        let place = origin()
        test_pointer_move(Int32(place.x + x), Int32(place.y + y))
        pump { self.pointer.position.map { Int($0.x) == x && Int($0.y) == y } ?? false }
    }

    func click(_ x: Int, _ y: Int) {
        move(x, y)
        test_button(1, 1)
        test_button(1, 0)
        settle()
    }

    /// The view's position on the screen.
    func origin() -> (x: Int, y: Int) {
        var (x, y) = (gint(), gint())
        gdk_window_get_origin(gtk_widget_get_window(inner), &x, &y)
        return (Int(x), Int(y))
    }

    func press(_ key: Int32) {
        test_key(gulong(key), 1)
        test_key(gulong(key), 0)
        settle()
    }

    /// Waits until all the input that was sent to the server has come back as events.
    func settle() {
        gdk_display_sync(gdk_display_get_default())
        pump(frames: 2, of: inner)
    }

    /// The colours on the screen, in device px. Each colour is a number.
    func screen() -> Screen { Screen(of: inner) }
}
