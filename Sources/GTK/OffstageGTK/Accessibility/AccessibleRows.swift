import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageLists

/// The rows of a list, or the cells of a grid, for assistive technology. Numbers and points come from other programs
/// and may be invalid.
@MainActor
protocol AccessibleOwner: AnyObject {
    var accessibleCount: Int { get }
    var accessibleRowsOnScreen: Range<Int> { get }
    /// The text and links of a row's picture; nil for a row that has only its plain text.
    func accessibleContent(of row: Int) -> PictureContent?
    func accessibleText(of row: Int) -> String?
    /// False for a row whose picture is not requested because it is far from the screen.
    func isNearScreen(_ row: Int) -> Bool
    var rowSource: any ListSource { get }
    /// The request that gets a far row's text and links; nil for a row without them, and for one that is not ready.
    func farRequest(of row: Int) -> FarRequest?
    /// Text to read aloud beside a row's own, such as the heading above it.
    func accessibleDescription(of row: Int) -> String?
    /// The live view that replaces a row's picture.
    func accessibleView(of row: Int) -> UnsafeMutablePointer<GtkWidget>?
    /// The box of a row, or of a link in it, GTK px of the canvas; nil if it has none.
    func accessibleBox(row: Int, link: Int) -> GdkRectangle?
    /// The link at a point, GTK px of the canvas.
    func accessibleLink(row: Int, x: Int, y: Int) -> Int?
    func item(atScreen x: Double, _ y: Double) -> Int?

    /// How many rows users can select: none, one or several.
    var selectionMode: ItemSelection.Mode { get }
    /// The row that has the keyboard's focus within the list.
    var focusedRow: Int? { get }
    var selectedRows: IndexSet { get }
    func accessibleSelect(_ change: AccessibleSelection) -> Bool
    func accessibleFocus(_ row: Int) -> Bool
    func accessibleScroll(_ row: Int, _ type: AtkScrollType) -> Bool
    func accessibleActivate(_ row: Int, link: Int) -> Bool
}

/// A change of the selection requested by a client.
enum AccessibleSelection {
    case add(Int)
    case remove(Int)
    case all
    case none
}

extension AccessibleOwner {
    func accessibleDescription(of row: Int) -> String? { nil }

    /// False for an invalid row number. The data source may have changed without yet notifying the list.
    func hasRow(_ row: Int) -> Bool { row >= 0 && row < accessibleCount }
}

/// The rows of a list, for assistive technology. A row's object is created when a client requests it. Without a client,
/// none exists, and nothing here does any work.
@MainActor
final class AccessibleRows {
    private let canvas: Canvas
    weak var owner: (any AccessibleOwner)?
    private let farTexts = FarTexts()
    private var rows: [Int: AccessibleRow] = [:]
    /// Once this many objects exist, those that no client knows are dropped.
    private var limit = 1_000
    /// The rows that were on the screen at the last update.
    private var visible = 0..<0
    /// The row that was last reported as the one with the focus, and the selection that was last reported.
    private var focused: AccessibleRow?
    private var selected = IndexSet()

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
        (rows, focused) = ([:], nil)
    }

    func setName(_ name: String) { if canvas.isThere { offstage_canvas_set_name(canvas.inner, name) } }

    var isWatched: Bool { canvas.isThere && offstage_canvas_is_watched(canvas.inner) != 0 }

    // MARK: Rows

    /// The number of existing objects.
    var count: Int { rows.count }

    /// The row's object, which is made on demand; nil if the row does not exist.
    func row(_ number: Int) -> AccessibleRow? {
        guard canvas.isThere, let owner, owner.hasRow(number) else { return nil }
        if let row = rows[number] { return row }
        if rows.count >= limit { dropUnknown() }
        let row = AccessibleRow(
            row: number, owner.accessibleContent(of: number), plainText: owner.accessibleText(of: number),
            on: canvas.inner)
        row.setDescription(owner.accessibleDescription(of: number))
        rows[number] = row
        if let view = owner.accessibleView(of: number) { row.setView(view) }
        if !owner.isNearScreen(number) { farTexts.want(row) }
        return row
    }

    /// True if a row is still in the list, rather than only an object that clients keep.
    func contains(_ row: AccessibleRow) -> Bool { rows[row.number] === row }

    /// The links of a row; none if no client knows the row.
    func links(of number: Int) -> [AccessibleLink] { rows[number]?.links ?? [] }

    /// - Parameter picture: the row's picture if the row is not near the screen.
    func setContent(of row: AccessibleRow, _ picture: RenderedPicture? = nil) {
        row.setDescription(owner?.accessibleDescription(of: row.number))
        row.setContent(
            owner?.accessibleContent(of: row.number) ?? picture?.content,
            plainText: owner?.accessibleText(of: row.number))
    }

    /// A client can walk through a list of any length, and the bridge to the bus keeps each object for a while.
    private func dropUnknown() {
        rows = rows.filter { visible.contains($0.key) || $0.value === focused || !$0.value.isUnknown }
        limit = max(1_000, 2 * rows.count)
    }

    // MARK: Changes

    func pictureArrived(in number: Int) { if let row = rows[number] { setContent(of: row) } }

    /// Reads the texts of rows whose content has changed again.
    func reload(_ numbers: some RangeExpression<Int>) {
        for (number, row) in rows where numbers.contains(number) {
            setContent(of: row)
            if owner?.isNearScreen(number) == false { farTexts.want(row) }
        }
    }

    func viewAppeared(_ view: UnsafeMutablePointer<GtkWidget>, in number: Int) { rows[number]?.setView(view) }

    func insert(_ count: Int, at number: Int) {
        selected.shift(startingAt: number, by: count)
        renumber { $0 < number ? $0 : $0 + count }
        if isWatched { offstage_canvas_rows_inserted(canvas.inner, Int32(clamping: number), Int32(clamping: count)) }
    }

    func remove(_ numbers: Range<Int>) {
        selected.remove(integersIn: numbers)
        selected.shift(startingAt: numbers.upperBound, by: -numbers.count)
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
            row.setDescription(owner?.accessibleDescription(of: number))
            rows[number] = row
        }
        // The next update compares with the rows that are on the screen then.
        visible = 0..<0
    }

    /// Notifies clients of rows that have appeared on the screen or left it.
    func update(visible new: Range<Int>) {
        if new == visible { return }
        if !rows.isEmpty {
            for number in visible where !new.contains(number) { rows[number]?.notify(ATK_STATE_SHOWING, false) }
            for number in new where !visible.contains(number) { rows[number]?.notify(ATK_STATE_SHOWING, true) }
        }
        visible = new
    }

    /// Notifies clients that the selection, or the row with the focus within the list, has changed.
    ///
    /// - Parameter isOther: false if the same rows are selected as before.
    func selectionChanged(isOther: Bool = true) {
        guard isWatched, let owner else { return }
        let (new, old) = (owner.focusedRow.flatMap { row($0) }, focused)
        let selection = owner.selectedRows
        if new === old, !isOther { return }
        focused = new
        // Visit only the rows that clients know: a selected range may contain many more.
        for (number, row) in rows {
            let isSelected = selection.contains(number)
            if isSelected != selected.contains(number) { row.notify(ATK_STATE_SELECTED, isSelected) }
        }
        if let old, old !== new { old.notify(ATK_STATE_FOCUSED, false) }
        selected = selection
        if isOther { offstage_canvas_selection_changed(canvas.inner) }
        focusChanged()
    }

    /// Notifies clients that a row has got or lost the focus. A list that manages its descendants has to name the one
    /// that is active.
    func focusChanged() {
        guard isWatched, let row = owner?.focusedRow.flatMap({ row($0) }) else { return }
        focused = row
        let hasFocus = gtk_widget_has_focus(canvas.inner) != 0
        row.notify(ATK_STATE_FOCUSED, hasFocus)
        if hasFocus { offstage_canvas_focus_moved(canvas.inner, row.object) }
    }
}
