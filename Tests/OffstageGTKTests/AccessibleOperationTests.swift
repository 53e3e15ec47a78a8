import CGTK
import COffstageGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK

/// Focus, selection and actions, with the keyboard and through assistive technology.
final class AccessibleOperationTests: XCTestCase {
    func testTheSelectedRowIsTheActiveDescendant() throws {
        try onMain {
            let bench = NumberList(rows: 500)
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            let (events, first) = (AccessibleEvents(list), try XCTUnwrap(list[0]))
            let own = AccessibleEvents(first)
            XCTAssertEqual(list.selection, [])
            bench.click(100, 20)
            XCTAssert(list.has(ATK_STATE_FOCUSED))
            XCTAssertEqual(events.take().filter { !$0.hasPrefix("state") }.last, "active 0")
            XCTAssert(first.has(ATK_STATE_SELECTED) && first.has(ATK_STATE_FOCUSED))
            XCTAssertEqual(Set(own.take()), ["state selected on", "state focused on"])
            bench.press(GDK_KEY_Down)
            XCTAssertEqual(events.take(), ["selection", "active 1"])
            XCTAssertEqual(own.take(), ["state selected off", "state focused off"])
            XCTAssertFalse(first.has(ATK_STATE_SELECTED) || first.has(ATK_STATE_FOCUSED))
            XCTAssertEqual(list.selection, [1])
            bench.press(GDK_KEY_End)
            XCTAssertEqual(events.take(), ["selection", "active 499"])
            bench.pumpUntilComplete()
            XCTAssertEqual(list[499]?.isShowing, true)
            XCTAssertEqual(own.take(), ["state showing off"])
            XCTAssertFalse(first.isShowing)
            bench.close()
        }
    }

    /// The host can focus only the scrolled window, which passes the focus on to the rows.
    func testTheHostGivesTheFocusToTheRows() throws {
        onMain {
            let bench = NumberList(rows: 500)
            bench.pumpUntilComplete()
            let entry = gtk_entry_new()!
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
            let widget = bench.list.widget
            g_object_ref(widget)
            gtk_container_remove(cast(bench.window), widget)
            gtk_container_add(cast(bench.window), box)
            gtk_container_add(cast(box), entry)
            gtk_box_pack_start(cast(box), widget, 1, 1, 0)
            g_object_unref(widget)
            gtk_widget_show_all(bench.window)
            gtk_widget_grab_focus(entry)
            gtk_widget_grab_focus(widget)
            XCTAssertNotEqual(gtk_widget_is_focus(bench.inner), 0)
            bench.close()
        }
    }

    func testAClientSelectsRows() throws {
        try onMain {
            let bench = NumberList(rows: 500)
            var selected: [Int?] = []
            bench.list.onSelect = { selected.append($0) }
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            XCTAssert(list.select(3))
            XCTAssertEqual(list.selection, [3])
            for row in [-1, 500, Int(Int32.max)] { XCTAssertFalse(list.select(row), "\(row)") }
            XCTAssert(list.clearSelection())
            XCTAssertEqual(list.selection, [])
            let far = try XCTUnwrap(list[400])
            XCTAssertFalse(far.isShowing)
            XCTAssert(far.grabFocus())
            bench.pumpUntilComplete()
            XCTAssert(far.isShowing && far.has(ATK_STATE_SELECTED))
            XCTAssertEqual(far.name, "Row 400")
            XCTAssertNotEqual(gtk_widget_is_focus(bench.inner), 0)
            XCTAssertEqual(selected, [3, nil, 400])
            bench.close()
        }
    }

    func testAClientActivatesRows() throws {
        try onMain {
            let bench = NumberList(rows: 500)
            var activated: [Int] = []
            bench.list.onActivate = { activated.append($0) }
            bench.pumpUntilComplete()
            let row = try XCTUnwrap(Accessible(of: bench.inner)[2])
            XCTAssert(row.act())
            XCTAssertFalse(row.act(1))
            XCTAssertFalse(row.act(-1))
            XCTAssertEqual(activated, [2])
            XCTAssertEqual(bench.list.selection, 2)
            bench.close()
        }
    }

    func testAListWithoutSelection() throws {
        try onMain {
            var options = ListOptions()
            options.selectsRows = false
            let bench = NumberList(rows: 500, options: options)
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            let row = try XCTUnwrap(list[300])
            XCTAssertFalse(row.has(ATK_STATE_SELECTABLE) || row.has(ATK_STATE_FOCUSABLE))
            XCTAssertFalse(list.select(3) || list.clearSelection())
            XCTAssert(row.grabFocus())
            bench.pumpUntilComplete()
            XCTAssert(row.isShowing)
            XCTAssertNil(bench.list.selection)
            bench.close()
        }
    }
}
