import CGTK
import COffstageGTK
import Offstage

/// Shows one item at a time, and has its state. An item that leaves gives its slot to another item.
@MainActor
final class Slot {
    private(set) var item = 0
    /// The item's identifier. The slot shows only a picture with this identifier.
    private(set) var identifier = ""
    /// The number of the last request. Results of earlier requests are ignored.
    var visit = 0
    var isAsked = false
    /// True once memory was searched for the item's thumbnail.
    var hasLooked = false
    /// Waits for the results of the request.
    var task: Task<Void, Never>?
    /// The current request, or nil.
    var request: RenderTask<[RenderedPicture]>?
    var hasFailed = false
    var plainText: RowText?
    private var shown: RowPicture?

    /// The picture, if it belongs to this item.
    var picture: RowPicture? { shown?.identifier == identifier ? shown : nil }

    /// Assigns the slot to an item.
    func take(_ item: Int, identifier: String) {
        clear()
        (self.item, self.identifier) = (item, identifier)
    }

    /// Changes the number of the same item.
    func setItem(_ item: Int) { self.item = item }

    /// The current number of the item of a request; nil if the request was cancelled.
    func item(at visit: Int) -> Int? { self.visit == visit ? item : nil }

    /// Removes the item and cancels its request.
    func clear() {
        withdraw()
        shown = nil
        plainText = nil
        hasLooked = false
        hasFailed = false
        identifier = ""
    }

    func withdraw() {
        task?.cancel()
        task = nil
        request?.cancel()
        request = nil
        isAsked = false
        // 0 is not the number of any request.
        visit = 0
    }

    func show(_ picture: RowPicture) { shown = picture }

    /// Assigns another identifier. If it differs, the content is cleared.
    func rename(_ identifier: String) {
        if self.identifier == identifier { return }
        let item = item
        clear()
        (self.item, self.identifier) = (item, identifier)
    }
}
