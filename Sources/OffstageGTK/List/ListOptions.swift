import Offstage

/// When a row turns into a live web view by itself.
public enum LiveRows: Sendable {
    /// Only by `makeLive(row:)`.
    case never
    /// By a double click or Return. The default.
    case whenActivated
    /// As soon as it is selected.
    case whenSelected
}

/// How a list looks and works.
public struct ListOptions: Sendable {
    /// CSS px beside a row's picture. Default 8.
    public var horizontalPadding = 8
    /// CSS px above and below a row's picture. Default 6.
    public var verticalPadding = 6
    /// CSS px; what the list has more than this for pictures stands on both sides of them. Nil, the default, for any
    /// width.
    public var maximumWidth: Int?
    /// CSS px that a row counts, with its padding, before any row's height is known. Default 120.
    public var estimatedHeight = 120

    /// How far ahead of what is in sight rows are drawn, in screens, in the direction of travel. Default 2.
    public var lookAhead = 2.0
    /// True, the default: nothing new is drawn while the list scrolls.
    public var suspendsWhileScrolling = true
    public var suspension = ScrollSuspender.Times()
    /// From the last change of the width until the rows are asked for at the new one. Default 100 ms.
    public var resizeDelay = Duration.milliseconds(100)

    /// Device px: a small picture that is kept beside each, and shown, enlarged, while the full one is fetched. Nil,
    /// the default, for none: worth it where the full ones are large.
    public var thumbnail: PixelSize?
    /// True: a row shows its picture from before its source changed until the new one is there. Default false. A new
    /// width shows the old pictures anyway.
    public var showsStale = false
    /// Of the list's requests, to cancel them with others. Default nil.
    public var group: String?

    /// False: a click selects nothing, and the keyboard scrolls. Default true.
    public var selectsRows = true
    /// Default `.whenActivated`. Needs a list whose rows can be live: a `PictureList`.
    public var liveRows = LiveRows.whenActivated
    /// How many rows may be live at a time; the one that has been live longest turns back. Default 2. Each is a
    /// process.
    public var liveLimit = 2

    public init() {}
}
