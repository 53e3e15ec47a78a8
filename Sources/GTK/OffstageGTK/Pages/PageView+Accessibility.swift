import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageLists
import OffstagePages

/// The pages of the current document as the rows that assistive technology sees.
@MainActor
final class PageRows: ListSource {
    weak var view: PageView?

    var rowCount: Int { view?.accessibleCount ?? 0 }
    func identifier(at row: Int) -> String { "page \(row + 1)" }
    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? { nil }
    func plainText(at row: Int) -> String? { view?.accessibleText(of: row) }
}

/// The view as assistive technology sees and operates it. Each page of the document is a row, with its text and its links.
extension PageView: AccessibleOwner {
    var accessibleCount: Int {
        canvas.isThere && isOpen ? requests.book(position.document)?.pages.count ?? 0 : 0
    }

    var accessibleRowsOnScreen: Range<Int> {
        guard let visible = visiblePages else { return 0..<0 }
        return (visible.lowerBound - 1..<visible.upperBound).clamped(to: 0..<accessibleCount)
    }

    private func place(_ row: Int) -> PagePlan.Place { PagePlan.Place(document: position.document, page: row + 1) }

    /// The page's whole text, and its links.
    func accessibleContent(of row: Int) -> PictureContent? {
        guard hasRow(row), let cell = pages[place(row)] else { return nil }
        guard let text = cell.text?.text, !text.isEmpty else { return cell.content }
        return PictureContent(areas: cell.content?.areas ?? [], text: text)
    }

    /// The text of a page far from the screen is read on request. Until then, the page has only its name.
    func accessibleText(of row: Int) -> String? {
        guard hasRow(row), let book = requests.book(position.document) else { return nil }
        if pages[place(row)] == nil, let cell = cell(place(row)) { readText(of: cell) }
        return "Page \(book.label(ofPage: row + 1))"
    }

    func accessibleDescription(of row: Int) -> String? {
        guard hasRow(row), let book = requests.book(position.document) else { return nil }
        return "Page \(book.label(ofPage: row + 1))"
    }

    func isNearScreen(_ row: Int) -> Bool { true }
    var rowSource: any ListSource { rows }
    func farRequest(of row: Int) -> FarRequest? { nil }
    func accessibleView(of row: Int) -> UnsafeMutablePointer<GtkWidget>? { nil }

    func accessibleBox(row: Int, link: Int) -> GdkRectangle? {
        guard hasRow(row), let placed = layout.pages.first(where: { $0.number == row + 1 }) else { return nil }
        var box = placed.clip
        if link >= 0 {
            let links = accessible.links(of: row)
            guard links.indices.contains(link), let cell = pages[place(row)] else { return nil }
            let (area, (width, height)) = (links[link].box, cell.contentSize)
            let part = PagePart(
                x: area.x / width, y: area.y / height, width: area.width / width, height: area.height / height)
            guard let found = layout.box(of: part, page: row + 1) else { return nil }
            box = found
        }
        return GdkRectangle(atX: box.x, y: box.y, width: box.width, height: box.height)
    }

    func accessibleLink(row: Int, x: Int, y: Int) -> Int? {
        guard let (page, x, y) = layout.place(atX: Double(x), y: Double(y)), page == row + 1,
            let cell = pages[place(row)]
        else { return nil }
        let (width, height) = cell.contentSize
        return accessible.links(of: row).lastIndex { $0.areas.contains { $0.contains(x: x * width, y: y * height) } }
    }

    func item(atScreen x: Double, _ y: Double) -> Int? { layout.place(atX: x, y: y).map { $0.page - 1 } }

    var selectionMode: ItemSelection.Mode { .none }
    var focusedRow: Int? { isEmpty ? nil : position.page - 1 }
    var selectedRows: IndexSet { [] }
    func accessibleSelect(_ change: AccessibleSelection) -> Bool { false }

    func accessibleFocus(_ row: Int) -> Bool {
        guard hasRow(row) else { return false }
        gtk_widget_grab_focus(canvas.inner)
        show(page: row + 1)
        return true
    }

    func accessibleScroll(_ row: Int, _ type: AtkScrollType) -> Bool {
        guard hasRow(row) else { return false }
        show(page: row + 1)
        return true
    }

    func accessibleActivate(_ row: Int, link: Int) -> Bool {
        guard hasRow(row) else { return false }
        if link < 0 {
            show(page: row + 1)
            return true
        }
        let links = accessible.links(of: row)
        guard links.indices.contains(link) else { return false }
        follow(links[link].target)
        return true
    }

    /// Notifies clients of the reader's new position.
    func announce(_ old: PagePosition) {
        if old.document != position.document {
            let books = requests.books
            if books.indices.contains(old.document) { accessible.remove(0..<books[old.document].pages.count) }
            accessible.insert(accessibleCount, at: 0)
        }
        accessible.update(visible: accessibleRowsOnScreen)
        accessible.selectionChanged(isOther: false)
    }
}
