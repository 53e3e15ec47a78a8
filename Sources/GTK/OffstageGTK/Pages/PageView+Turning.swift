import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// Turning pages, jumps and changes of the documents.
extension PageView {
    /// Goes to a position, or to the nearest one that exists.
    ///
    /// - Parameter position: a document of the view, and a page of it.
    public func show(_ position: PagePosition) { move(to: position, direction: nil) }

    /// Goes to a page.
    ///
    /// - Parameters:
    ///   - document: its number, from 0. Default the current one.
    ///   - page: from 1.
    public func show(document: Int? = nil, page: Int) {
        show(PagePosition(document: document ?? position.document, page: page))
    }

    /// Turns by one page, half a page or two pages.
    ///
    /// - Returns: false at the first or last page.
    @discardableResult
    public func turnForward() -> Bool { turn(movement.next(position), direction: 1) }

    /// Turns back by one page, half a page or two pages.
    ///
    /// - Returns: false at the first or last page.
    @discardableResult
    public func turnBack() -> Bool { turn(movement.previous(position), direction: -1) }

    private func turn(_ next: PagePosition?, direction: Int) -> Bool {
        guard let next, !isEmpty else {
            onEnd?(direction)
            return false
        }
        move(to: next, direction: direction)
        return true
    }

    /// - Parameter direction: the direction of a turn; nil for a jump.
    private func move(to position: PagePosition, direction: Int?) {
        guard let new = movement.clamped(position) else { return }
        let old = self.position
        isResting = false
        let isBack =
            direction.map { $0 < 0 } ?? ((new.document, new.page) < (old.document, old.page))
        travel = isBack ? .backward : .forward
        self.position = new
        if new != old { selection = nil }
        // A turn back shows the end of the previous page.
        layout.pan.y = direction == -1 && scaling == .fitWidth ? .greatestFiniteMagnitude : 0
        layout.pan.x = direction == nil ? 0 : layout.pan.x
        requestAll()
        announce(old)
        if new != old { onTurn?(new) }
    }

    /// Draws the first pages of each document, while the host shows a list of the documents. Ends with the next `show`.
    ///
    /// - Parameter first: the first visible document, from 0. Default 0.
    public func rest(from first: Int = 0) {
        isResting = true
        for cell in pages.values { cell.withdraw() }
        turner.showOverview(from: first)
    }

    /// The documents. Pages of a document that has not changed keep their pictures.
    public var books: [PageBook] {
        get { requests.books }
        set {
            requests.books = newValue
            dropRemovedInk()
            turner.pageCounts = newValue.map(\.pages.count)
            let old = position
            position = movement.clamped(position) ?? PagePosition()
            if isResting { return }
            requestAll()
            announce(old)
            if position != old { onTurn?(position) }
        }
    }

    func fullScreenChanged() {
        guard let top = gtk_widget_get_toplevel(widget), gtk_widget_is_toplevel(top) != 0 else { return }
        if isFullScreen {
            gtk_window_fullscreen(cast(top))
        } else {
            gtk_window_unfullscreen(cast(top))
        }
    }
}
