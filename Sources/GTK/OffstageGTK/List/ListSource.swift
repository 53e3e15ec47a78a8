import Offstage

/// The rows of a list. The list calls it on the main actor, only for visible rows, the next ones and those that a
/// screen reader requests, so a long list costs no more than a short one.
@MainActor
public protocol ListSource: AnyObject {
    /// The number of rows. After a change, call the list's `reload`, `insertRows` or `removeRows`.
    var rowCount: Int { get }

    /// The name of the row in the list, and of its picture in the cache. It must be unique: no other row may ever use
    /// it.
    func identifier(at row: Int) -> String

    /// The request for a row's picture; nil for a row that shows only its plain text. The list calls it on the main
    /// thread when the row comes near the screen, so it must be quick. If it cannot be, implement `isReady`. For links
    /// that users can click, and text that a screen reader can read, return a `Snippet` with `keepsAreas` set.
    ///
    /// - Parameters:
    ///   - row: from 0, less than `rowCount`.
    ///   - width: the width that the picture should have, CSS px.
    ///   - scale: device px per CSS px of the monitor.
    /// - Returns: a request with the row's identifier, of any type for which the renderer has an engine.
    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)?

    /// False for a row whose `request` would have to wait, for example for a disk. The list then calls `makeReady`
    /// first, and shows the row's plain text in the meantime. Default true.
    func isReady(at row: Int) -> Bool

    /// Fetches the data that `request` needs, off the main thread. When it returns, the list calls `request`. The list
    /// cancels the call when the row leaves the screen. The default does nothing.
    func makeReady(at row: Int) async

    /// True to show a row live while its picture is missing, if `ListOptions.liveLimit` and the list's providers of
    /// live rows allow it. The row becomes live once the list has been at rest for 0.15 s, and shows its picture as
    /// soon as that is ready. Default false.
    func isLiveWithoutPicture(at row: Int) -> Bool

    /// The text of the row without formatting. The list shows it until a picture is available, and screen readers read
    /// it if the picture has no text of its own. A screen reader can ask for any row. Default nil: no text.
    func plainText(at row: Int) -> String?
}

extension ListSource {
    public func isReady(at row: Int) -> Bool { true }
    public func makeReady(at row: Int) async {}
    public func isLiveWithoutPicture(at row: Int) -> Bool { false }
    public func plainText(at row: Int) -> String? { nil }
}
