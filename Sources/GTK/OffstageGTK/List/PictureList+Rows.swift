import Offstage

extension PictureList {
    /// The number of rows that the list shows.
    public var rowCount: Int { layout.count }

    /// The rows that were at least partly visible in the last frame.
    public var visibleRows: Range<Int> { slots.window.visible }

    /// The content that a visible row shows; `text` for any other row.
    public func content(of row: Int) -> RowContent {
        if isLive(row: row) { return .live }
        switch slots[row]?.picture?.quality {
        case .full: return .picture
        case .stale: return .stale
        case .thumbnail: return .thumbnail
        case nil: return .text
        }
    }

    /// Reloads all rows from the source. If the source has as many rows as before, the rows keep their position, and show
    /// their old pictures until the new ones are ready; otherwise the list scrolls to its top.
    ///
    /// Live rows become pictures again.
    public func reload() {
        live.endAll()
        if source.rowCount == layout.count {
            slots.requestAll()
            accessible.reload(0..<layout.count)
            parts.lookAhead?.cancel()
            return changed()
        }
        slots.clear()
        accessible.remove(0..<layout.count)
        layout.replaceAll(count: source.rowCount)
        accessible.insert(layout.count, at: 0)
        viewport.forgetPlace()
        select(nil)
        parts.lookAhead?.cancel()
        viewport.showTop(of: layout)
        changed()
    }

    /// Requests one row again after its content has changed. A live row becomes a picture again.
    public func reload(row: Int) {
        makeStill(row: row)
        guard slots[row] != nil else { return accessible.reload(row..<row + 1) }
        slots.request(row)
        accessible.reload(row..<row + 1)
        changed()
    }

    /// Call this after adding rows to the source, the first of them at `row`.
    public func insertRows(_ count: Int, at row: Int) {
        layout.insert(count, at: row)
        slots.insert(count, at: row)
        func shifted(_ old: Int) -> Int { old < row ? old : old + count }
        renumberRows(shifted)
        accessible.insert(count, at: row)
    }

    /// Call this after removing rows from the source.
    public func removeRows(_ rows: Range<Int>) {
        layout.remove(rows)
        let gone = live.take(rows)
        slots.remove(rows)
        let losesSelection = selectedRow.map(rows.contains) ?? false
        if losesSelection { selectedRow = nil }
        func shifted(_ old: Int) -> Int {
            if old < rows.lowerBound { return old }
            return max(rows.lowerBound, old - rows.count)
        }
        renumberRows(shifted)
        accessible.remove(rows)
        // Close views only after all numbers are right: GTK and the host may query rows now.
        for entry in gone { entry.close() }
        if losesSelection { selectionChanged() }
    }

    private func renumberRows(_ shifted: (Int) -> Int) {
        precondition(
            source.rowCount == layout.count, "the source's rows differ from those that the list was notified of")
        live.renumber(shifted)
        selectedRow = selectedRow.map(shifted)
        renumber(shifted)
    }

    /// Scrolls a row to a position on the screen. It stays there while heights become known, until the user scrolls.
    public func scroll(to row: Int, _ place: RowPlace = .nearest) {
        scrollItem(row, to: place)
    }

    func select(_ row: Int?) {
        if row == selectedRow { return }
        selectedRow = row
        if options.liveRows == .whenSelected, let row { makeLive(row: row) }
        selectionChanged()
    }

    private func selectionChanged() {
        canvas.queueDraw()
        accessible.selectionChanged()
        onSelect?(selectedRow)
    }

    // MARK: Live rows

    /// The live rows, the one that has been live longest first. Some of their views may not be ready yet.
    public var rowsLive: [Int] { live.items }

    /// True if a row shows its live view instead of its picture.
    public func isLive(row: Int) -> Bool { live.isShown(row) }

    /// Replaces a row's picture with a live web view, in which users can click links and select text. The view appears
    /// once it shows the same content as the picture; until then, or if the view cannot be made, the picture remains. A
    /// row that leaves the screen becomes a picture again, and so does a row whose web process ends or hangs, which
    /// calls `onLiveEnd`.
    ///
    /// Has no effect on a row that is not near the screen, or for whose type of request the list has no provider of
    /// live rows.
    public func makeLive(row: Int) {
        updateSlots()
        if slots[row] != nil { live.begin(row) }
    }

    /// Shows the row's picture again.
    public func makeStill(row: Int) { live.end(row) }
}
