import Offstage

/// What a list shows. The list asks on the main actor, for rows in sight and those that come next alone, so a list of
/// any length costs no more than a short one.
@MainActor
public protocol ListSource: AnyObject {
    /// How many rows there are. After a change call the list's `reload`, `insertRows` or `removeRows`.
    var rowCount: Int { get }

    /// The row's name in the list and its picture's in the cache: no other row has it, now or later.
    func identifier(at row: Int) -> String

    /// What to draw for a row; nil for one that stays as its plain text. Called when the row comes near, on the main
    /// thread, so it has to be quick; where it cannot be, see `isReady`. A `Snippet` whose links are to be clicked, and whose text a screen reader is to have, has `keepsAreas`
    /// set.
    ///
    /// - Parameters:
    ///   - row: from 0, less than `rowCount`.
    ///   - width: that the picture is to have, CSS px, which are the list's own.
    ///   - scale: device px to a CSS px, as of the monitor.
    /// - Returns: a request that has the row's identifier, of any type that the renderer has an engine for.
    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)?

    /// False for a row for which `request` would have to wait, for a disk, say. The list then calls `makeReady` first, and
    /// shows the row's plain text meanwhile. Default true.
    func isReady(at row: Int) -> Bool

    /// Fetches what `request` needs, off the main thread. When it has returned, the list calls `request`. It is cancelled when the row has
    /// left. Default nothing.
    func makeReady(at row: Int) async

    /// The row without its looks: stands in for a picture that is not there yet, and is what a screen reader says where
    /// the picture has no text of its own. Default nil, nothing.
    func plainText(at row: Int) -> String?
}

extension ListSource {
    public func isReady(at row: Int) -> Bool { true }
    public func makeReady(at row: Int) async {}
    public func plainText(at row: Int) -> String? { nil }
}
