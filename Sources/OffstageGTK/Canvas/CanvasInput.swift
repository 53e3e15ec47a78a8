import CWebKitGTK

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
