import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageLists

/// The list as assistive technology sees and operates it.
extension PictureList {
    var accessibleCount: Int { canvas.isThere ? min(layout.count, source.rowCount) : 0 }

    var accessibleRowsOnScreen: Range<Int> { slots.window.visible.clamped(to: 0..<accessibleCount) }

    func accessibleContent(of row: Int) -> PictureContent? { slots[row]?.picture?.image.content }

    func accessibleText(of row: Int) -> String? { source.plainText(at: row) }

    func accessibleView(of row: Int) -> UnsafeMutablePointer<GtkWidget>? { live.view(of: row) }

    /// The box of a row, or of a link in it, GTK px of the canvas; nil before the list has a size.
    func accessibleBox(row: Int, link: Int) -> GdkRectangle? {
        guard hasRow(row), sizing.width > 0 else { return nil }
        let (top, box) = (screenTop(of: row), layout.box(of: row))
        guard link >= 0 else {
            return GdkRectangle(atX: Double(box.x), y: top, width: Double(box.width), height: Double(box.height))
        }
        let links = accessible.links(of: row)
        guard link < links.count else { return nil }
        let (area, place, factor) = (links[link].box, layout.pictureBox(of: row), contentFactor(of: row))
        return GdkRectangle(
            atX: Double(place.x) + area.x * factor, y: top + Double(place.y - box.y) + area.y * factor,
            width: (area.width * factor).rounded(.up), height: (area.height * factor).rounded(.up))
    }

    private func contentFactor(of row: Int) -> Double {
        slots[row]?.picture.map { sizing.contentFactor(of: $0) } ?? sizing.zoom
    }

    /// The link at a point, GTK px of the canvas. If links overlap, it is the last one, which is painted on top.
    func accessibleLink(row: Int, x: Int, y: Int) -> Int? {
        guard hasRow(row), sizing.width > 0 else { return nil }
        let (place, factor) = (layout.pictureBox(of: row), contentFactor(of: row))
        let (left, top) = ((Double(x) - Double(place.x)) / factor, (Double(y) - viewport.screen(place.y)) / factor)
        return accessible.links(of: row).lastIndex { $0.areas.contains { $0.contains(x: left, y: top) } }
    }

    var selectionMode: ItemSelection.Mode { options.selectsRows ? .single : .none }

    var focusedRow: Int? { selectedRow }

    var selectedRows: IndexSet { selectedRow.map { [$0] } ?? [] }

    func accessibleSelect(_ change: AccessibleSelection) -> Bool {
        guard options.selectsRows else { return false }
        switch change {
        case .add(let row):
            guard hasRow(row) else { return false }
            select(row)
        case .remove(let row):
            guard row == selectedRow else { return false }
            select(nil)
        case .none: select(nil)
        case .all: return false
        }
        return true
    }

    /// Acts like a click on a row, which may be anywhere.
    func accessibleFocus(_ row: Int) -> Bool {
        guard hasRow(row) else { return false }
        gtk_widget_grab_focus(canvas.inner)
        if options.selectsRows { select(row) }
        scroll(to: row)
        return true
    }

    func accessibleScroll(_ row: Int, _ type: AtkScrollType) -> Bool {
        guard hasRow(row) else { return false }
        switch type {
        case ATK_SCROLL_TOP_LEFT, ATK_SCROLL_TOP_EDGE: scroll(to: row, .top)
        case ATK_SCROLL_BOTTOM_RIGHT, ATK_SCROLL_BOTTOM_EDGE: scroll(to: row, .bottom)
        default: scroll(to: row)
        }
        return true
    }

    /// Acts like the Return key, or like a click on a link.
    func accessibleActivate(_ row: Int, link: Int) -> Bool {
        guard hasRow(row) else { return false }
        if link < 0 {
            if options.selectsRows { select(row) }
            // A row that becomes live has to be near the screen.
            scroll(to: row)
            // The host may have changed the rows in `onSelect`.
            if hasRow(row) { activate(row) }
            return true
        }
        let links = accessible.links(of: row)
        guard link < links.count else { return false }
        onLink?(row, links[link].target)
        return true
    }
}

extension GdkRectangle {
    /// The box around an area, in whole px. In a very long list, the position of a row far from the screen may exceed
    /// the range of C's numbers.
    init(atX x: Double, y: Double, width: Double, height: Double) {
        func whole(_ value: Double) -> Int32 { Int32(max(-1e9, min(1e9, value.rounded(.down)))) }
        self.init(x: whole(x), y: whole(y), width: whole(width), height: whole(height))
    }
}
