import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// Keeps a renderer from starting anything new while something scrolls, so that the frames of the scrolling come first.
///
/// It watches adjustments, whatever moves them: wheel, touchpad, keyboard, scrollbar, a finger, the program. At the
/// first movement it takes a lease, and gives it back once nothing has moved for a while; kinetic scrolling and
/// animations are movements too. Nothing is left suspended when the widget goes away in the middle, or the suspender
/// itself.
@MainActor
public final class ScrollSuspender {
    /// How long things take until drawing goes on.
    public struct Times: Sendable, Hashable {
        /// After the last movement. Default 80 ms.
        public var settling: Duration
        /// The same, while a mouse button or a finger is down: a slow drag moves less often than the screen is drawn.
        /// Default 300 ms.
        public var settlingWhileHeld: Duration
        /// After the first movement, whatever moves: drawing then goes on until it has stopped moving and starts again.
        /// Default 30 s.
        public var maximum: Duration

        public init(
            settling: Duration = .milliseconds(80), settlingWhileHeld: Duration = .milliseconds(300),
            maximum: Duration = .seconds(30)
        ) {
            self.settling = settling
            self.settlingWhileHeld = settlingWhileHeld
            self.maximum = maximum
        }
    }

    public let times: Times
    /// True from the first movement until nothing has moved for a while.
    public private(set) var isScrolling = false
    /// Called after each change of `isScrolling`.
    public var onChange: ((Bool) -> Void)?

    private let suspend: (Duration) -> SuspensionLease?
    private var lease: SuspensionLease?
    private var watched: [WatchedAdjustment] = []
    private var windows: [WatchedWindow] = []
    private var timer: LoopTimer?
    private var lastMovement = ContinuousClock.now
    /// Movements within `ignoring` are none.
    private var ignored = 0

    /// - Parameters:
    ///   - times: how long leases last, and when it counts as at rest.
    ///   - suspend: takes a lease that ends by itself after a time: `{ renderer.suspend(for: $0) }`. Nil for
    ///     none, where the movement alone is to be watched.
    public init(times: Times = Times(), suspend: @escaping (Duration) -> SuspensionLease?) {
        self.times = times
        self.suspend = suspend
    }

    public convenience init(_ renderer: Renderer, times: Times = Times()) {
        self.init(times: times) { renderer.suspend(for: $0) }
    }

    isolated deinit { detach() }

    /// Watches both adjustments of a scrolled window, besides what it watches already, and those that are put in their
    /// place later.
    public func attach(to window: UnsafeMutablePointer<GtkScrolledWindow>) {
        if windows.contains(where: { $0.watches(window) }) { return }
        windows.append(
            WatchedWindow(
                window,
                changed: { [weak self] old, new in
                    if let old { self?.watched.removeAll { $0.adjustment == old } }
                    if let new { self?.attach(to: new) }
                },
                gone: { [weak self] window in self?.windows.removeAll { $0 === window } }))
    }

    /// Watches an adjustment, until that goes or `detach`. The suspender does not keep it.
    public func attach(to adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        if watched.contains(where: { $0.watches(adjustment) }) { return }
        watched.append(
            WatchedAdjustment(
                adjustment, moved: { [weak self] in self?.moved() }, gone: { [weak self] in self?.gone($0) }))
    }

    /// Watches nothing any more; what it holds ends at once.
    public func detach() {
        windows = []
        watched = []
        end()
    }

    /// Runs a body whose changes to the adjustments are no scrolling: those of a host that keeps what the user sees in
    /// its place.
    public func ignoring<Value>(_ body: () throws -> Value) rethrows -> Value {
        ignored += 1
        defer { ignored -= 1 }
        return try body()
    }

    private func moved() { if ignored == 0 { noteMovement() } }

    /// As if an adjustment had moved: for what scrolls by other means.
    public func noteMovement() {
        lastMovement = .now
        if isScrolling { return }
        isScrolling = true
        lease = suspend(times.maximum)
        wait(times.settling)
        onChange?(true)
    }

    /// One timer for a whole scrolling: it looks how long ago the last movement was, and waits for the rest.
    private func wait(_ duration: Duration) {
        timer = LoopTimer(seconds: duration / .seconds(1)) { [weak self] in self?.timeIsOver() }
    }

    private func timeIsOver() {
        timer = nil
        let rest = lastMovement.duration(to: .now)
        let settling = Self.isHeld ? max(times.settling, times.settlingWhileHeld) : times.settling
        if rest < settling { return wait(settling - rest + .milliseconds(1)) }
        end()
    }

    private func end() {
        timer = nil
        lease?.end()
        lease = nil
        if !isScrolling { return }
        isScrolling = false
        onChange?(false)
    }

    private func gone(_ adjustment: WatchedAdjustment) {
        watched.removeAll { $0 === adjustment }
        if watched.isEmpty { end() }
    }

    /// Whether a button of the pointer is down, be it over a scrollbar, or a finger, which counts as the first.
    private static var isHeld: Bool {
        guard let display = gdk_display_get_default(), let screen = gdk_display_get_default_screen(display),
            let pointer = gdk_seat_get_pointer(gdk_display_get_default_seat(display))
        else { return false }
        var state = GdkModifierType(rawValue: 0)
        gdk_device_get_state(pointer, gdk_screen_get_root_window(screen), nil, &state)
        // GDK_BUTTON1_MASK to GDK_BUTTON3_MASK, which the release build does not find.
        let buttons: UInt32 = 0b111 << 8
        return state.rawValue & buttons != 0
    }
}
