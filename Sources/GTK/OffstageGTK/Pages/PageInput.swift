import CGTK
import OffstageGLib

/// The state of the pointer, the wheel and the fingers.
struct PageInput {
    enum Drag: Equatable {
        case none
        /// The button is down, and has not moved yet.
        case pressed(link: String?)
        case selecting
        case panning
    }

    var drag = Drag.none
    /// The position where the button went down, and the last position of the pointer, in GTK px.
    var start = (x: 0.0, y: 0.0)
    var last = (x: 0.0, y: 0.0)
    /// Steps of the wheel that do not yet add up to a turn.
    var wheelRest = 0.0
    /// Steps of the wheel with Ctrl.
    var zoomRest = 0.0
    /// The sideways movement of two fingers, and whether it has turned a page.
    var swipe = 0.0
    var hasSwiped = false
    var lastWheel: guint32 = 0

    /// The movement after which a press no longer counts as a click, GTK px.
    static let slack = 4.0
    /// The sideways movement of two fingers that turns a page, steps.
    static let swipeLength = 1.5
    /// The pause after which two fingers begin a new movement, ms.
    static let swipePause: guint32 = 250
}

/// Swipes and pinches on a touch screen.
@MainActor
final class PageGestures {
    weak var view: PageView?
    private let swipe: OpaquePointer
    private let pinch: OpaquePointer
    private let handlers = SignalHandlers()
    private var zoomAtStart = 1.0

    /// GTK px per second: a slower movement does not turn the page.
    private static let minimumVelocity = 200.0

    init(_ canvas: Canvas) {
        swipe = gtk_gesture_swipe_new(canvas.inner)
        pinch = gtk_gesture_zoom_new(canvas.inner)
        gtk_gesture_single_set_touch_only(swipe, 1)
        typealias Swiped = @convention(c) (UnsafeMutableRawPointer, Double, Double, gpointer) -> Void
        let swiped: Swiped = { _, x, y, data in
            onMainActor(data) { receiver($0, as: PageGestures.self)?.swiped(x, y) }
        }
        handlers.connect("swipe", of: gpointer(swipe), unsafeBitCast(swiped, to: GCallback.self), to: self)
        let began: @convention(c) (UnsafeMutableRawPointer, OpaquePointer?, gpointer) -> Void = { _, _, data in
            onMainActor(data) { data in
                guard let gestures = receiver(data, as: PageGestures.self) else { return }
                gestures.zoomAtStart = gestures.view?.zoom ?? 1
            }
        }
        handlers.connect("begin", of: gpointer(pinch), unsafeBitCast(began, to: GCallback.self), to: self)
        let scaled: @convention(c) (UnsafeMutableRawPointer, Double, gpointer) -> Void = { _, scale, data in
            onMainActor(data) { receiver($0, as: PageGestures.self)?.pinched(scale) }
        }
        handlers.connect("scale-changed", of: gpointer(pinch), unsafeBitCast(scaled, to: GCallback.self), to: self)
    }

    isolated deinit {
        end()
        g_object_unref(gpointer(swipe))
        g_object_unref(gpointer(pinch))
    }

    func end() { handlers.disconnect() }

    func swiped(_ x: Double, _ y: Double) {
        guard let view, abs(x) > Self.minimumVelocity, abs(x) > 2 * abs(y), view.layout.mostPan.x < 1 else { return }
        if x < 0 { view.turnForward() } else { view.turnBack() }
    }

    private func pinched(_ scale: Double) {
        guard let view, scale.isFinite, scale > 0 else { return }
        var (x, y) = (0.0, 0.0)
        if gtk_gesture_get_bounding_box_center(pinch, &x, &y) == 0 {
            (x, y) = (view.layout.window.width / 2, view.layout.window.height / 2)
        }
        view.setZoom(zoomAtStart * scale, atX: x, y: y)
    }
}
