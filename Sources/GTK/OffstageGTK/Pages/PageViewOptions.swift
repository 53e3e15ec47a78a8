import Offstage
import OffstagePages

/// The behaviour of a page view.
public struct PageViewOptions: Sendable {
    /// The pages to draw ahead of the reader. Its variants are ignored: the view sets its own.
    public var reach = PagePlan.Reach()
    /// The box of thumbnails, device px. The view shows a thumbnail, enlarged, until the page's picture is ready.
    /// Default 256 × 256.
    public var thumbnail = PixelSize(width: 256, height: 256)
    /// True: the last page of a document is followed by the first page of the next one. Default true.
    public var crossesDocuments = true
    /// True: a click on the right third of the window turns forward, one on the left third back. Default true.
    public var turnsByClick = true
    /// GTK px between two pages side by side, from 0 to 100. Default 4.
    public var gap = 4
    /// The time without a change after which the view draws the visible part of an enlarged page. Default 60 ms.
    public var sharpeningDelay = Duration.milliseconds(60)
    /// The time from the last change of the window's size until the view draws the pages at the new size. Default 100 ms.
    public var resizeDelay = Duration.milliseconds(100)

    /// The default behaviour.
    public init() {}
}
