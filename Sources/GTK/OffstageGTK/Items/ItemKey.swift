import CGTK

/// A key that acts on items.
enum ItemKey {
    /// Up or down by one item.
    case step(Int)
    /// Up or down by a screen.
    case page(Int)
    case first
    case last
    case activate
    case endLive

    /// - Parameter key: GDK's number; nil for a key that belongs to the host.
    init?(_ key: guint) {
        switch Int32(key) {
        case GDK_KEY_Up, GDK_KEY_KP_Up: self = .step(-1)
        case GDK_KEY_Down, GDK_KEY_KP_Down: self = .step(1)
        case GDK_KEY_Home, GDK_KEY_KP_Home: self = .first
        case GDK_KEY_End, GDK_KEY_KP_End: self = .last
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: self = .page(-1)
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: self = .page(1)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .activate
        case GDK_KEY_Escape: self = .endLive
        default: return nil
        }
    }
}
