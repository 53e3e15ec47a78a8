import COffstageGTK
import CWebKitGTK
import Offstage
import OffstageGLib

/// The rows of a list, for assistive technology. A row's object is made when a client asks for it; without a client, none
/// exists, and nothing here does any work.
@MainActor
final class AccessibleRows {
    private let canvas: Canvas
    weak var list: PictureList?
    private let farTexts = FarTexts()
    private var rows: [Int: AccessibleRow] = [:]
    /// The number of objects at which those that no client knows are dropped.
    private var limit = 1_000
    /// The rows on the screen as of the last update.
    private var visible = 0..<0
    /// The row that was last reported as selected.
    private var selected: AccessibleRow?

    init(_ canvas: Canvas) {
        self.canvas = canvas
        farTexts.rows = self
        offstage_canvas_set_rows(
            canvas.inner, Self.callbacks, CallbackTarget.data(for: self), CallbackTarget.release)
    }

    /// Ends all objects. Clients may keep them.
    func close() {
        farTexts.close()
        offstage_canvas_set_rows(canvas.inner, nil, nil, nil)
        (rows, selected) = ([:], nil)
    }

    func setName(_ name: String) { if canvas.isThere { offstage_canvas_set_name(canvas.inner, name) } }

    var isWatched: Bool { canvas.isThere && offstage_canvas_is_watched(canvas.inner) != 0 }

    // MARK: Rows

    /// The number of objects.
    var count: Int { rows.count }

    /// The row's object, which is made on demand; nil if the row does not exist.
    func row(_ number: Int) -> AccessibleRow? {
        guard canvas.isThere, let list, list.hasRow(number) else { return nil }
        if let row = rows[number] { return row }
        if rows.count >= limit { dropUnknown() }
        let row = AccessibleRow(
            row: number, list.slots[number]?.picture?.image, plainText: list.source.plainText(at: number),
            on: canvas.inner)
        rows[number] = row
        if let view = list.live.view(of: number) { row.setView(view) }
        if list.slots[number] == nil { farTexts.want(row) }
        return row
    }

    /// True if a row is in the list, and not one whose object clients keep.
    func contains(_ row: AccessibleRow) -> Bool { rows[row.number] === row }

    /// The links of a row; none if no client knows the row.
    func links(of number: Int) -> [AccessibleLink] { rows[number]?.links ?? [] }

    /// - Parameter picture: the row's picture if the row is not near the screen.
    func setContent(of row: AccessibleRow, _ picture: RenderedPicture? = nil) {
        let image = list?.slots[row.number]?.picture?.image ?? picture
        row.setContent(image, plainText: list?.source.plainText(at: row.number))
    }

    /// A client can walk through a list of any length, and the bridge to the bus keeps each object for a while.
    private func dropUnknown() {
        rows = rows.filter { visible.contains($0.key) || $0.value === selected || !$0.value.isUnknown }
        limit = max(1_000, 2 * rows.count)
    }

    // MARK: Changes

    func pictureArrived(in number: Int) { if let row = rows[number] { setContent(of: row) } }

    /// Reads the texts of rows again, whose content has changed.
    func reload(_ numbers: some RangeExpression<Int>) {
        for (number, row) in rows where numbers.contains(number) {
            setContent(of: row)
            if list?.slots[number] == nil { farTexts.want(row) }
        }
    }

    func viewAppeared(_ view: UnsafeMutablePointer<GtkWidget>, in number: Int) { rows[number]?.setView(view) }

    func insert(_ count: Int, at number: Int) {
        renumber { $0 < number ? $0 : $0 + count }
        if isWatched { offstage_canvas_rows_inserted(canvas.inner, Int32(clamping: number), Int32(clamping: count)) }
    }

    func remove(_ numbers: Range<Int>) {
        renumber { $0 < numbers.lowerBound ? $0 : numbers.contains($0) ? nil : $0 - numbers.count }
        if isWatched {
            offstage_canvas_rows_removed(
                canvas.inner, Int32(clamping: numbers.lowerBound), Int32(clamping: numbers.count))
        }
    }

    private func renumber(_ new: (Int) -> Int?) {
        let old = rows
        rows = [:]
        for (number, row) in old {
            guard let number = new(number) else { continue }
            row.setRow(number)
            rows[number] = row
        }
        // The next update compares with the rows that are on the screen then.
        visible = 0..<0
    }

    /// Notifies clients of rows that have come onto the screen or left it.
    func update(visible new: Range<Int>) {
        if new == visible { return }
        if !rows.isEmpty {
            for number in visible where !new.contains(number) { rows[number]?.notify(ATK_STATE_SHOWING, false) }
            for number in new where !visible.contains(number) { rows[number]?.notify(ATK_STATE_SHOWING, true) }
        }
        visible = new
    }

    /// Notifies clients that another row is selected, and has the focus within the list.
    func selectionChanged() {
        guard isWatched else { return }
        let new = list?.selectedRow.flatMap { row($0) }
        if new === selected { return }
        if let selected {
            selected.notify(ATK_STATE_SELECTED, false)
            selected.notify(ATK_STATE_FOCUSED, false)
        }
        selected = new
        new?.notify(ATK_STATE_SELECTED, true)
        offstage_canvas_selection_changed(canvas.inner)
        focusChanged()
    }

    /// Notifies clients that the selected row has got or lost the focus. A list that manages its descendants has to name the
    /// one that is active.
    func focusChanged() {
        guard isWatched, let row = list?.selectedRow.flatMap({ row($0) }) else { return }
        selected = row
        let hasFocus = gtk_widget_has_focus(canvas.inner) != 0
        row.notify(ATK_STATE_FOCUSED, hasFocus)
        if hasFocus { offstage_canvas_focus_moved(canvas.inner, row.object) }
    }
}
