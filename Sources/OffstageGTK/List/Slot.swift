import COffstageGTK
import CWebKitGTK
import Offstage

/// Shows one row at a time, and has its state. A row that leaves gives its slot to another row.
@MainActor
final class Slot {
    private(set) var row = 0
    /// The row's identifier. The slot shows only a picture with this identifier.
    private(set) var identifier = ""
    /// The number of the last request. Results of earlier requests are ignored.
    var visit = 0
    var isAsked = false
    /// Waits for the results of the request.
    var task: Task<Void, Never>?
    /// The current request, or nil.
    var request: RenderTask<[RenderedImage]>?
    var hasFailed = false
    var plainText: RowText?
    var part: AccessibleRow?
    private var shown: RowPicture?

    /// The picture, if it belongs to this row.
    var picture: RowPicture? { shown?.identifier == identifier ? shown : nil }

    /// Assigns the slot to a row.
    func take(_ row: Int, identifier: String) {
        clear()
        (self.row, self.identifier) = (row, identifier)
    }

    /// Changes the number of the same row.
    func setRow(_ row: Int) {
        self.row = row
        part?.setRow(row)
    }

    /// The current number of the row of a request; nil if the request was cancelled.
    func row(at visit: Int) -> Int? { self.visit == visit ? row : nil }

    /// Removes the row and cancels its request.
    func clear() {
        withdraw()
        shown = nil
        plainText = nil
        part = nil
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
        let row = row
        clear()
        (self.row, self.identifier) = (row, identifier)
    }
}
