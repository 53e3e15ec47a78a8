import CGTK
import COffstageGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK

/// Objects that clients still hold while the list changes.
final class AccessibleChangeTests: XCTestCase {
    private static let link = PictureArea(x: 20, y: 10, width: 100, height: 20, target: "there", label: "A link")

    func testARowGetsTheTextOfItsPicture() throws {
        try onMain {
            let engine = NumberEngine()
            engine.hold()
            let source = Numbers(100)
            source.areas = { _ in [Self.link] }
            let bench = NumberList(engine: engine, source: source)
            let row = try XCTUnwrap(Accessible(of: bench.inner)[1])
            let events = AccessibleEvents(row)
            XCTAssertEqual(row.name, "Number 1")
            XCTAssertEqual(row.count, 0)
            engine.release()
            bench.pumpUntilComplete()
            XCTAssertEqual([row.name, row.text, row[0]?.name], ["Row 1", "Row 1", "A link"])
            XCTAssertEqual(events.take(), ["inserted Row 1", "name", "added 0"])
            // Setting the same content again emits no event.
            bench.list.reload()
            bench.pumpUntilComplete()
            XCTAssertEqual(events.take(), [])
            bench.close()
        }
    }

    func testALinkThatHasGoneDoesNothing() throws {
        try onMain {
            let source = Numbers(100)
            source.areas = { _ in [Self.link] }
            let bench = NumberList(source: source)
            var told: [String] = []
            bench.list.onLink = { told.append("\($0) \($1)") }
            bench.pumpUntilComplete()
            let row = try XCTUnwrap(Accessible(of: bench.inner)[1])
            let link = try XCTUnwrap(row[0])
            source.areas = { _ in [PictureArea(x: 0, y: 0, width: 9, height: 9, target: "elsewhere")] }
            source.version = { _ in 1 }
            bench.list.reload()
            XCTAssert(pump { row[0]?.name == "elsewhere" })
            XCTAssertFalse(link.act())
            XCTAssert(link.has(ATK_STATE_DEFUNCT))
            XCTAssertEqual(link.box(), [-1, -1, -1, -1])
            XCTAssertNil(link.parent)
            XCTAssertEqual(told, [])
            bench.close()
        }
    }

    func testRowsKeepTheirObjectsWhereOthersComeAndGo() throws {
        try onMain {
            let bench = NumberList(rows: 100)
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            let (events, row, other) = (AccessibleEvents(list), try XCTUnwrap(list[2]), try XCTUnwrap(list[3]))
            bench.source.numbers.insert(contentsOf: [500, 501], at: 1)
            bench.list.insertRows(2, at: 1)
            XCTAssertEqual(events.take(), ["added 1"])
            XCTAssertEqual([row.index, other.index, list.count], [4, 5, 102])
            XCTAssertEqual(list[4]?.object, row.object)
            bench.list.selection = 4
            bench.source.numbers.removeSubrange(3..<5)
            bench.list.removeRows(3..<5)
            XCTAssertEqual(events.take(), ["selection", "removed 3", "selection"])
            XCTAssert(row.has(ATK_STATE_DEFUNCT))
            XCTAssertEqual([row.index, other.index, list.count], [-1, 3, 100])
            XCTAssertFalse(row.act() || row.grabFocus())
            XCTAssertEqual(list.selection, [])
            bench.pumpUntilComplete()
            XCTAssertEqual([other.name, list[1]?.name], ["Row 3", "Row 500"])
            bench.close()
        }
    }

    func testAReloadedListHasOtherRows() throws {
        try onMain {
            let bench = NumberList(rows: 100)
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            let (events, row) = (AccessibleEvents(list), try XCTUnwrap(list[2]))
            bench.source.numbers = [7, 8, 9]
            bench.list.reload()
            XCTAssertEqual(events.take(), ["removed 0", "added 0"])
            XCTAssert(row.has(ATK_STATE_DEFUNCT))
            bench.pumpUntilComplete()
            XCTAssertEqual(list.children.map(\.name), ["Row 7", "Row 8", "Row 9"])
            // The same number of rows with other names: the objects stay.
            let first = try XCTUnwrap(list[0])
            bench.source.numbers = [17, 18, 19]
            bench.list.reload()
            bench.pumpUntilComplete()
            XCTAssertEqual(list.children.map(\.name), ["Row 17", "Row 18", "Row 19"])
            XCTAssertFalse(first.has(ATK_STATE_DEFUNCT))
            // The source may change before the list is notified.
            bench.source.numbers = []
            XCTAssertEqual(list.count, 0)
            XCTAssertNil(list[0])
            bench.list.reload()
            XCTAssertEqual(list.count, 0)
            bench.close()
        }
    }

    func testALiveViewIsInItsRow() throws {
        try onMain {
            let bench = SnippetBench(rows: 3)
            bench.pumpUntilComplete()
            let list = Accessible(of: bench.inner)
            let row = try XCTUnwrap(list[1])
            XCTAssertEqual(row.children.map(\.name), ["A link"])
            bench.list.makeLive(row: 1)
            XCTAssert(pump(seconds: 60) { bench.list.isLive(row: 1) })
            XCTAssertEqual(list.count, 3)
            XCTAssertEqual(row.count, 2)
            XCTAssertEqual(row[1]?.parent, row.object)
            XCTAssertEqual(row[1]?.index, 1)
            bench.list.makeStill(row: 1)
            XCTAssertEqual(row.count, 1)
            bench.close()
        }
    }

    /// A client may hold objects of a list that no longer exists.
    func testObjectsOutliveTheirList() throws {
        try onMain {
            let source = Numbers(100)
            source.areas = { _ in [Self.link] }
            for destroysFirst in [true, false] {
                let bench = NumberList(source: source)
                bench.pumpUntilComplete()
                let list = Accessible(of: bench.inner)
                let row = try XCTUnwrap(list[2])
                let link = try XCTUnwrap(row[0])
                if destroysFirst { gtk_widget_destroy(bench.window) }
                bench.list = nil
                for object in [row, link] {
                    XCTAssert(object.has(ATK_STATE_DEFUNCT))
                    XCTAssertNil(object.parent)
                    XCTAssertEqual(object.box(), [-1, -1, -1, -1])
                    XCTAssertFalse(object.act() || object.grabFocus())
                }
                XCTAssertEqual([row.count, row.linkCount, list.count], [0, 0, 0])
                XCTAssertEqual(row.text, "Row 2")
                XCTAssertNil(list[0])
                XCTAssertEqual([list.tableRows, list.selection], [[], []])
                XCTAssertFalse(list.select(0))
                if !destroysFirst { gtk_widget_destroy(bench.window) }
            }
        }
    }
}
