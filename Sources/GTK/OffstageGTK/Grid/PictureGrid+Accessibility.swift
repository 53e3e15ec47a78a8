import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageLists

/// The grid as assistive technology sees and operates it.
extension PictureGrid {
    var accessibleCount: Int { canvas.isThere ? min(layout.count, gridSource.rowCount) : 0 }

    var accessibleRowsOnScreen: Range<Int> { slots.window.visible.clamped(to: 0..<accessibleCount) }

    /// A cell's accessible name is its label: its picture is too small to read.
    func accessibleContent(of cell: Int) -> PictureContent? { nil }

    func accessibleText(of cell: Int) -> String? { gridSource.label(at: cell) }

    /// The heading, for the first cell of a section: the others would repeat it.
    func accessibleDescription(of cell: Int) -> String? {
        guard cell >= 0, cell < layout.count else { return nil }
        let section = layout.section(of: cell)
        guard section < sections.count, cell == 0 || layout.section(of: cell - 1) != section else { return nil }
        return sections[section].title
    }

    /// Every cell has a label, so no picture has to be drawn to get its text.
    func isNearScreen(_ cell: Int) -> Bool { true }

    func accessibleView(of cell: Int) -> UnsafeMutablePointer<GtkWidget>? { nil }

    func accessibleBox(row cell: Int, link: Int) -> GdkRectangle? {
        guard hasRow(cell), sizing.width > 0, link < 0 else { return nil }
        let box = layout.box(of: cell)
        return GdkRectangle(
            atX: Double(box.x), y: viewport.screen(box.y), width: Double(box.width), height: Double(box.height))
    }

    func accessibleLink(row: Int, x: Int, y: Int) -> Int? { nil }

    var selectionMode: ItemSelection.Mode { cells.mode }

    var focusedRow: Int? { cells.cursor }

    var selectedRows: IndexSet { cells.items }

    func accessibleSelect(_ change: AccessibleSelection) -> Bool {
        guard cells.mode != .none else { return false }
        switch change {
        case .add(let cell):
            guard hasRow(cell) else { return false }
            if !cells.items.contains(cell) { changeSelection { $0.toggle(cell) } }
        case .remove(let cell):
            guard cells.items.contains(cell) else { return false }
            changeSelection { $0.toggle(cell) }
        case .all:
            guard cells.mode == .multiple else { return false }
            changeSelection { $0.selectAll(layout.count) }
        case .none: changeSelection { $0.clear() }
        }
        return true
    }

    /// Acts like a click on a cell, which may be anywhere.
    func accessibleFocus(_ cell: Int) -> Bool {
        guard hasRow(cell) else { return false }
        gtk_widget_grab_focus(canvas.inner)
        changeSelection { $0.select(cell) }
        scroll(to: cell)
        return true
    }

    func accessibleScroll(_ cell: Int, _ type: AtkScrollType) -> Bool {
        guard hasRow(cell) else { return false }
        switch type {
        case ATK_SCROLL_TOP_LEFT, ATK_SCROLL_TOP_EDGE: scroll(to: cell, .top)
        case ATK_SCROLL_BOTTOM_RIGHT, ATK_SCROLL_BOTTOM_EDGE: scroll(to: cell, .bottom)
        default: scroll(to: cell)
        }
        return true
    }

    /// Acts like the Return key.
    func accessibleActivate(_ cell: Int, link: Int) -> Bool {
        guard hasRow(cell), link < 0 else { return false }
        changeSelection { $0.select(cell) }
        scroll(to: cell)
        // The host may have changed the cells in `onSelect`.
        if hasRow(cell) { activate(cell) }
        return true
    }
}
