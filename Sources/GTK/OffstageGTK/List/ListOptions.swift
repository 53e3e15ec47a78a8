import Offstage
import OffstageLists

/// When rows automatically become live web views.
public enum LiveRows: Sendable {
    /// Only `makeLive(row:)` makes a row live.
    case never
    /// A double click or Return makes a row live. The default.
    case whenActivated
    /// Selecting a row makes it live.
    case whenSelected
}

/// The drawings that may run while a list scrolls.
public enum DrawingWhileScrolling: Sendable, Hashable {
    /// As many drawings as the frames allow, according to `FrameGovernor`. The default.
    case governed
    /// No drawings; see `ScrollSuspender`.
    case suspended
    /// All drawings.
    case unlimited
}

/// The appearance and behaviour of a list.
public struct ListOptions: Sendable {
    /// CSS px to the left and right of a row's picture. Default 8.
    public var horizontalPadding = 8
    /// CSS px above and below a row's picture. Default 6.
    public var verticalPadding = 6
    /// The maximum width of pictures, CSS px. In a wider list, pictures are centred. Nil, the default, for no maximum.
    public var maximumWidth: Int?
    /// The assumed height of a row with its padding, CSS px, before any row's height is known. Default 120.
    public var estimatedHeight = 120

    /// The number of screens that are drawn ahead of the visible rows, in the direction of travel. Default 2.
    public var lookAhead = 2.0
    /// The drawings that may run while the list scrolls. Default `.governed`.
    public var drawing = DrawingWhileScrolling.governed
    /// The thresholds of `.governed`.
    public var governor = FrameGovernor.Times()
    /// How long nothing must move for the list to be at rest.
    public var suspension = ScrollSuspender.Times()
    /// The time from the last change of the width until the list requests the rows at the new width. Default 100 ms.
    public var resizeDelay = Duration.milliseconds(100)

    /// The box of a thumbnail, device px. The list keeps a thumbnail of each picture, and shows it enlarged, in the same
    /// frame, until the full picture is available. It keeps thumbnails if the renderer has a memory cache or a store. Nil
    /// for no thumbnails. Default 120 × 60.
    public var thumbnail: PixelSize? = PixelSize(width: 120, height: 60)
    /// True: a row shows an outdated picture until the new one is ready. Default false. After a change of the width,
    /// rows always show the old pictures.
    public var showsStale = false
    /// The group of the list's requests, to cancel them together. Default nil.
    public var group: String?

    /// False: clicks do not select rows, and the keyboard scrolls. Default true.
    public var selectsRows = true
    /// When rows automatically become live. Default `.whenActivated`. Needs a list with a provider of live rows.
    public var liveRows = LiveRows.whenActivated
    /// The maximum number of live rows. To make room, the row that has been live longest shows its picture again. Each
    /// live web view has a process. Default 2.
    public var liveLimit = 2

    public init() {}
}

extension ListOptions {
    var items: ItemOptions {
        ItemOptions(
            lookAhead: lookAhead, drawing: drawing, governor: governor, suspension: suspension,
            resizeDelay: resizeDelay, thumbnail: thumbnail, showsStale: showsStale, group: group)
    }
}
