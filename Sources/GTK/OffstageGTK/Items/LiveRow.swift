import CGTK
import Offstage
import OffstageLists

/// A view that replaces a row's picture and accepts the user's clicks.
@MainActor
public protocol LiveRow: AnyObject {
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The height of the content, GTK px, once it is loaded.
    var height: Int { get }
    /// Called when a link is clicked, with its target as written in the source.
    var onLink: ((String) -> Void)? { get set }
    /// Called when the view ends by itself, for example because its web process has ended or hangs.
    var onEnd: ((LiveEnd) -> Void)? { get set }
    /// Waits until the view shows the same content as its picture. Called once the widget is on the screen.
    func show() async throws
    /// Ends the view and removes its widget.
    func close()
}

/// An item that is live, or about to be.
@MainActor
final class LiveEntry {
    /// The item's current number.
    var item: Int
    /// True once a provider has made a view for the item. Until then, the entry does not replace another live item.
    var isAccepted = false
    var view: (any LiveRow)?
    var task: Task<Void, Never>?
    /// True once the view shows the same content as the picture, and covers it.
    var isShown = false

    /// True if the item is live only until its picture is ready.
    var isUntilPicture: Bool

    init(item: Int, isUntilPicture: Bool) { (self.item, self.isUntilPicture) = (item, isUntilPicture) }

    func close() {
        task?.cancel()
        task = nil
        view?.onEnd = nil
        view?.onLink = nil
        view?.close()
        view = nil
        isShown = false
    }
}
