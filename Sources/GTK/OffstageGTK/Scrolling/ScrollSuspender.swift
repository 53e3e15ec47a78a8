import CGTK
import Offstage
import OffstageGLib

/// Keeps a renderer from starting drawings while something scrolls, so that scrolling frames have priority.
///
/// It watches adjustments, whatever moves them: wheel, touchpad, keyboard, scrollbar, a finger, the program. At the
/// first movement it takes a lease, and ends it once nothing has moved for a while; kinetic scrolling and animations
/// count as movements. If the widget or the suspender is destroyed in the meantime, the lease ends.
@MainActor
public final class ScrollSuspender {
    /// The times after which drawing resumes.
    public struct Times: Sendable, Hashable {
        /// The time after the last movement. Default 80 ms.
        public var settling: Duration
        /// The time after the last movement while a mouse button or a finger is down: a slow drag moves less often than
        /// the screen is redrawn. Default 300 ms.
        public var settlingWhileHeld: Duration
        /// The maximum time of a suspension. After it, drawing resumes, even if something moves, until the movement
        /// stops and starts again. Default 30 s.
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

    /// True while a mouse button or a finger is down. At most 0.1 s old, because reading it requires a query to the
    /// display server.
    var isHeld: Bool {
        if let held, held.time.duration(to: .now) < .milliseconds(100) { return held.isHeld }
        let isHeld = Self.isHeld
        held = (isHeld, .now)
        return isHeld
    }

    /// The last answer of the display server.
    private var held: (isHeld: Bool, time: ContinuousClock.Instant)?
    private let suspend: (Duration) -> SuspensionLease?
    private var lease: SuspensionLease?
    private var watched: [WatchedAdjustment] = []
    private var windows: [WatchedWindow] = []
    private var timer: LoopTimer?
    private var lastMovement = ContinuousClock.now
    /// The depth of calls of `ignoring`; while it is not 0, movements do not count.
    private var ignored = 0

    /// - Parameters:
    ///   - times: the maximum duration of leases, and how long nothing must move before drawing resumes.
    ///   - suspend: takes a lease that ends by itself after the given time: `{ renderer.suspend(for: $0) }`. Returns
    ///     nil to watch only the movement.
    public init(times: Times = Times(), suspend: @escaping (Duration) -> SuspensionLease?) {
        self.times = times
        self.suspend = suspend
    }

    public convenience init(_ renderer: Renderer, times: Times = Times()) {
        self.init(times: times) { renderer.suspend(for: $0) }
    }

    isolated deinit { detach() }

    /// Watches both adjustments of a scrolled window, even after they are replaced, in addition to those that it
    /// already watches.
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

    /// Watches an adjustment until it is destroyed or `detach` is called. The suspender does not retain it.
    public func attach(to adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        if watched.contains(where: { $0.watches(adjustment) }) { return }
        watched.append(
            WatchedAdjustment(
                adjustment, moved: { [weak self] in self?.moved() }, gone: { [weak self] in self?.gone($0) }))
    }

    /// Stops watching, and ends the lease at once.
    public func detach() {
        windows = []
        watched = []
        end()
    }

    /// Runs a body whose changes to the adjustments do not count as scrolling, for example in a host that keeps visible
    /// rows in position.
    public func ignoring<Value>(_ body: () throws -> Value) rethrows -> Value {
        ignored += 1
        defer { ignored -= 1 }
        return try body()
    }

    private func moved() { if ignored == 0 { noteMovement() } }

    /// Records a movement, for scrolling that does not use an adjustment.
    public func noteMovement() {
        lastMovement = .now
        if isScrolling { return }
        isScrolling = true
        lease = suspend(times.maximum)
        wait(times.settling)
        onChange?(true)
    }

    /// Uses one timer for the whole movement: it checks the time since the last movement, and waits for the remainder.
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

    /// True while a pointer button is down, even over a scrollbar, or a finger, which GDK reports as the first button.
    private static var isHeld: Bool {
        guard let display = gdk_display_get_default(), let screen = gdk_display_get_default_screen(display),
            let pointer = gdk_seat_get_pointer(gdk_display_get_default_seat(display))
        else { return false }
        var state = GdkModifierType(rawValue: 0)
        gdk_device_get_state(pointer, gdk_screen_get_root_window(screen), nil, &state)
        // GDK_BUTTON1_MASK to GDK_BUTTON3_MASK; the release build cannot import them.
        let buttons: UInt32 = 0b111 << 8
        return state.rawValue & buttons != 0
    }
}
