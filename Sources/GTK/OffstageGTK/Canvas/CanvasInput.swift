import CGTK

/// The modifier keys that matter to items.
struct KeyModifiers: OptionSet {
    static let shift = KeyModifiers(rawValue: 1)
    static let control = KeyModifiers(rawValue: 2)

    let rawValue: Int

    init(rawValue: Int) { self.rawValue = rawValue }

    /// - Parameter state: the state of a GDK event.
    init(_ state: guint) {
        self = []
        if state & GDK_SHIFT_MASK.rawValue != 0 { insert(.shift) }
        if state & GDK_CONTROL_MASK.rawValue != 0 { insert(.control) }
    }
}

/// A key that was pressed.
struct KeyPress {
    /// GDK's number.
    var key: guint
    var modifiers: KeyModifiers = []
    /// Milliseconds of the display server's clock.
    var time: guint32 = 0
}

/// A button that went down, GTK px from the top left corner of the window.
struct PointerPress {
    var button: Int
    /// 2 for a double click.
    var clicks: Int
    var x: Double
    var y: Double
    var modifiers: KeyModifiers = []
}

/// A turn of the wheel, or a movement of two fingers on a touchpad.
struct WheelTurn {
    /// Steps, positive to the right and down; fractions for a touchpad.
    var across = 0.0
    var down = 0.0
    /// True for a touchpad.
    var isSmooth = false
    /// True when the fingers leave the touchpad.
    var isStop = false
    /// Milliseconds of the display server's clock.
    var time: guint32 = 0

    init(_ event: UnsafeMutablePointer<GdkEventScroll>) {
        let event = event.pointee
        time = event.time
        switch event.direction {
        case GDK_SCROLL_UP: down = -1
        case GDK_SCROLL_DOWN: down = 1
        case GDK_SCROLL_LEFT: across = -1
        case GDK_SCROLL_RIGHT: across = 1
        default:
            (across, down, isSmooth, isStop) = (event.delta_x, event.delta_y, true, event.is_stop != 0)
        }
        // A shifted wheel moves sideways.
        if KeyModifiers(event.state).contains(.shift), !isSmooth { (across, down) = (down, across) }
    }

    init(across: Double = 0, down: Double = 0, isSmooth: Bool = false, isStop: Bool = false, time: guint32 = 0) {
        (self.across, self.down, self.isSmooth, self.isStop, self.time) = (across, down, isSmooth, isStop, time)
    }
}
