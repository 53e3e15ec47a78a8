import Foundation
import Offstage
import OffstageLists

extension PictureGrid {
    /// The number of cells that the grid shows.
    public var cellCount: Int { layout.count }

    /// The number of cells in a line, at the current width.
    public var columns: Int { layout.columns }

    /// The cells of the lines that were at least partly visible in the last frame.
    public var visibleCells: Range<Int> { slots.window.visible }

    /// The content that a visible cell shows; `text` for any other cell.
    public func content(of cell: Int) -> RowContent {
        switch slots[cell]?.picture?.quality {
        case .full: .picture
        case .stale: .stale
        case .thumbnail: .thumbnail
        case nil: .text
        }
    }

    /// A request for a picture of a cell's size, at the grid's zoom.
    package func request(at cell: Int) -> (any DrawingRequest)? { sizing.request(at: cell, of: source) }

    /// Reloads all cells and sections from the source. If the source has as many cells as before, the cells keep their position, and
    /// show their old pictures until the new ones are ready; otherwise the grid scrolls to its top and nothing is selected.
    public func reload() {
        let isOther = gridSource.rowCount != layout.count
        let old = layout.count
        if isOther { slots.clear() } else { viewport.holdPlace(in: layout) }
        takeCells()
        for slot in slots.all { slot.plainText = nil }
        parts.lookAhead?.cancel()
        guard isOther else {
            slots.requestAll()
            accessible.reload(0..<layout.count)
            viewport.keepPlace(in: layout)
            return changed()
        }
        accessible.remove(0..<old)
        accessible.insert(layout.count, at: 0)
        pointer.forgetItem()
        (gesture, bandTimer) = (.none, nil)
        viewport.forgetPlace()
        changeSelection { $0.reset() }
        viewport.showTop(of: layout)
        changed()
    }

    /// Requests one cell again after its content has changed.
    public func reload(cell: Int) {
        guard let slot = slots[cell] else { return accessible.reload(cell..<cell + 1) }
        slot.plainText = nil
        slots.request(cell)
        accessible.reload(cell..<cell + 1)
        changed()
    }

    /// Call this after adding cells to the source, the first of them at `cell`. Reads the sections again.
    public func insertCells(_ count: Int, at cell: Int) {
        // If the source now has another number of cells, reload everything.
        guard count >= 0, cell >= 0, cell <= layout.count, gridSource.rowCount == layout.count + count
        else { return reload() }
        viewport.holdPlace(in: layout)
        takeCells()
        slots.insert(count, at: cell)
        (gesture, bandTimer) = (.none, nil)
        cells.insert(count, at: cell)
        renumber { $0 < cell ? $0 : $0 + count }
        accessible.insert(count, at: cell)
    }

    /// Call this after removing cells from the source. Reads the sections again.
    public func removeCells(_ removed: Range<Int>) {
        guard removed.lowerBound >= 0, removed.upperBound <= layout.count,
            gridSource.rowCount == layout.count - removed.count
        else { return reload() }
        viewport.holdPlace(in: layout)
        takeCells()
        slots.remove(removed)
        (gesture, bandTimer) = (.none, nil)
        let old = cells
        cells.remove(removed)
        renumber { $0 < removed.lowerBound ? $0 : max(removed.lowerBound, $0 - removed.count) }
        accessible.remove(removed)
        if old.items.count != cells.items.count { selectionChanged(isOther: true) }
    }

    /// Lays out the source's cells and sections.
    private func takeCells() {
        sections = gridSource.sections
        let width = layout.width
        layout = GridLayout(
            count: gridSource.rowCount, sections: sections.map { ($0.cellCount, $0.title != nil) },
            metrics: layout.metrics)
        _ = layout.setWidth(width)
        painter.forgetHeadings()
    }

    /// Scrolls a cell to a position on the screen. It stays there while the size of cells changes, until the user scrolls.
    public func scroll(to cell: Int, _ place: RowPlace = .nearest) { scrollItem(cell, to: place) }

    // MARK: Selection

    func changeSelection(_ change: (inout ItemSelection) -> Void) {
        let old = cells
        change(&cells)
        if cells == old { return }
        selectionChanged(isOther: cells.items != old.items)
    }

    /// - Parameter isOther: false if only the cursor has moved.
    private func selectionChanged(isOther: Bool) {
        canvas.queueDraw()
        accessible.selectionChanged(isOther: isOther)
        if isOther { onSelect?(cells.items) }
    }

    func activate(_ cell: Int) { onActivate?(cell) }
}
