import COffstageGTK
import CWebKitGTK
import Offstage

/// What shows one row at a time, and what it knows of it. A row that leaves gives its slot to another.
@MainActor
final class Slot {
    private(set) var row = 0
    /// The row's; a picture of another one is not shown.
    private(set) var identifier = ""
    /// Of the last asking: an answer to an earlier one is late.
    var visit = 0
    var isAsked = false
    /// Waits for what comes.
    var task: Task<Void, Never>?
    /// The request; nil where there is none.
    var request: RenderTask<[RenderedImage]>?
    var hasFailed = false
    var plainText: RowText?
    var part: AccessibleRow?
    private var shown: RowPicture?

    /// The picture, if it is this row's.
    var picture: RowPicture? { shown?.identifier == identifier ? shown : nil }

    /// A row comes.
    func take(_ row: Int, identifier: String) {
        clear()
        (self.row, self.identifier) = (row, identifier)
    }

    /// The same row under another number.
    func setRow(_ row: Int) {
        self.row = row
        part?.setRow(row)
    }

    /// The number that the row of an asking has now; nil where that is withdrawn.
    func row(at visit: Int) -> Int? { self.visit == visit ? row : nil }

    /// The row leaves: what it waits for is withdrawn.
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
        // No asking has this number.
        visit = 0
    }

    func show(_ picture: RowPicture) { shown = picture }

    /// The row is another one now.
    func rename(_ identifier: String) {
        if self.identifier == identifier { return }
        let row = row
        clear()
        (self.row, self.identifier) = (row, identifier)
    }
}
