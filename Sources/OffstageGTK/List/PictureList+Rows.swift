import CWebKitGTK
import Offstage
import OffstageWebKit

/// The content that a list shows for a row.
public enum RowContent: Sendable {
    /// The row's picture.
    case picture
    /// A picture from before the source changed.
    case stale
    case thumbnail
    /// The plain text, or nothing.
    case text
    /// A live web view.
    case live
}

/// The position of a row on the screen after scrolling to it.
public enum RowPlace: Sendable {
    /// Visible, with the smallest movement. The default.
    case nearest
    case top
    case center
    case bottom
}

extension PictureList {
    /// The number of rows that the list shows.
    public var rowCount: Int { heights.count }

    /// The rows that were at least partly visible in the last frame.
    public var visibleRows: Range<Int> { window.visible }

    /// The content that a visible row shows; `text` for any other row.
    public func content(of row: Int) -> RowContent {
        if isLive(row: row) { return .live }
        switch slot(of: row)?.picture?.quality {
        case .full: return .picture
        case .stale: return .stale
        case .thumbnail: return .thumbnail
        case nil: return .text
        }
    }

    /// Reloads all rows from the source. If the source has as many rows as before, the rows keep their place, and show
    /// their old pictures until the new ones are ready; otherwise the list scrolls to its top.
    ///
    /// Live rows become pictures again.
    public func reload() {
        for entry in liveRows { end(entry) }
        if source.rowCount == heights.count {
            for row in Array(slotTable.rows) { ask(for: row) }
            prefetcher?.stop()
            return changed()
        }
        release(slotTable.show(0..<0).leaving)
        heights = RowHeights(count: source.rowCount, estimate: heights.estimate)
        anchor = nil
        select(nil)
        prefetcher?.stop()
        place(at: 0)
        changed()
    }

    /// Requests one row again after its content has changed. A live row becomes a picture again.
    public func reload(row: Int) {
        makeStill(row: row)
        guard slotTable[row] != nil else { return }
        ask(for: row)
        changed()
    }

    /// Call it after adding rows to the source, the first of them at `row`.
    public func insertRows(_ count: Int, at row: Int) {
        heights.insert(count, at: row)
        slotTable.insert(count, at: row)
        func shifted(_ old: Int) -> Int { old < row ? old : old + count }
        renumber(shifted)
    }

    /// Call it after removing rows from the source.
    public func removeRows(_ rows: Range<Int>) {
        heights.remove(rows)
        let gone = liveRows.filter { rows.contains($0.row) }
        liveRows.removeAll { rows.contains($0.row) }
        release(slotTable.remove(rows))
        let losesSelection = selectedRow.map(rows.contains) ?? false
        if losesSelection { selectedRow = nil }
        func shifted(_ old: Int) -> Int {
            if old < rows.lowerBound { return old }
            return max(rows.lowerBound, old - rows.count)
        }
        renumber(shifted)
        // Close views only after all numbers are right: GTK and the host may query rows now.
        for entry in gone { entry.close() }
        if losesSelection { selectionChanged() }
    }

    private func renumber(_ shifted: (Int) -> Int) {
        precondition(source.rowCount == heights.count, "the source has other rows than the list was told")
        for row in slotTable.rows {
            if let slot = slotTable[row] { slots[slot].setRow(row) }
        }
        for entry in liveRows { entry.row = shifted(entry.row) }
        selectedRow = selectedRow.map(shifted)
        hoveredRow = nil
        if var moved = anchor {
            moved.row = shifted(moved.row)
            anchor = moved.row < heights.count ? moved : nil
        }
        keepPlace()
        changed()
    }

    /// Scrolls a row to a position on the screen. It stays there while heights become known, until the user scrolls.
    public func scroll(to row: Int, _ place: RowPlace = .nearest) {
        guard row >= 0, row < heights.count else { return }
        let page = Double(canvas.height)
        let (top, height) = (Double(heights.top(of: row)), Double(heights[row]))
        let now = value - Double(origin)
        let wanted: Anchor
        switch place {
        case .top: wanted = Anchor(row: row, edge: .top, distance: 0)
        case .bottom: wanted = Anchor(row: row, edge: .bottom, distance: 0)
        case .center: wanted = Anchor(row: row, edge: .top, distance: max(0, (page - height) / 2))
        case .nearest:
            if top >= now, top + height <= now + page { return }
            wanted = Anchor(row: row, edge: top < now || height > page ? .top : .bottom, distance: 0)
        }
        let before = value
        anchor = wanted
        self.place(at: self.top(of: wanted))
        // Near the ends of the list, the row can be elsewhere, so anchor its actual position.
        if heights.total <= canvas.height { anchor = nil }
        changed()
        if value != before { suspender?.noteMovement() }
    }

    func select(_ row: Int?) {
        if row == selectedRow { return }
        selectedRow = row
        if options.liveRows == .whenSelected, let row { makeLive(row: row) }
        selectionChanged()
    }

    private func selectionChanged() {
        canvas.queueDraw()
        updateParts()
        onSelect?(selectedRow)
    }

    /// Updates slots, and what depends on them, before the next frame.
    func changed() {
        isDirty = true
        updateAdjustment()
        canvas.queueUpdate()
    }
}
