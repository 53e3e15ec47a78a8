/// The content that a list shows for a row.
public enum RowContent: Sendable {
    /// The row's picture.
    case picture
    /// A picture from before the source changed.
    case stale
    case thumbnail
    /// The plain text, or nothing.
    case text
    /// A live web view.
    case live
}

/// The position of a row on the screen after scrolling to it.
public enum RowPlace: Sendable {
    /// Visible, with the smallest movement. The default.
    case nearest
    case top
    case center
    case bottom
}
