import CGTK
import COffstageGTK
import CTestEvents
import Offstage
import OffstageGLib
import XCTest

@testable import OffstageGTK

/// A list as assistive technology sees it, and its actions.
final class AccessibilityTests: XCTestCase {
    /// A list that has not scrolled yet.
    @MainActor
    private static func rest(
        rows: Int = 20_000, _ areas: @escaping (Int) -> [PictureArea] = { _ in [] }
    ) -> (bench: NumberList, list: Accessible) {
        let source = Numbers(rows)
        source.areas = areas
        let bench = NumberList(source: source)
        bench.pumpUntilComplete()
        return (bench, Accessible(of: bench.inner))
    }

    func testAListAtRestHasAllItsRows() throws {
        try onMain {
            let (bench, list) = Self.rest()
            XCTAssertEqual(list.role, ATK_ROLE_LIST)
            XCTAssertEqual(list.count, 20_000)
            XCTAssert(list.has(ATK_STATE_MANAGES_DESCENDANTS))
            XCTAssert(list.has(ATK_STATE_FOCUSABLE))
            for number in [0, 1, 2, 19_999] {
                let row = try XCTUnwrap(list[number])
                XCTAssertEqual(row.role, ATK_ROLE_LIST_ITEM)
                // A row far from the screen has no picture yet.
                XCTAssertEqual(row.name, number < 3 ? "Row \(number)" : "Number \(number)")
                XCTAssertEqual(row.index, number)
                XCTAssertEqual(row.parent, list.object)
                XCTAssertEqual(row.isShowing, number < 3)
                XCTAssert(row.has(ATK_STATE_FOCUSABLE) && row.has(ATK_STATE_SELECTABLE))
                XCTAssertEqual(list[number]?.object, row.object)
            }
            for number in [-1, 20_000, Int(Int32.max), Int(Int32.min)] { XCTAssertNil(list[number], "\(number)") }
            bench.close()
        }
    }

    func testAListHasAName() {
        onMain {
            let (bench, list) = Self.rest()
            XCTAssertEqual(list.name, "Pictures")
            let events = AccessibleEvents(list)
            bench.list.accessibleName = "Letters of 1907"
            XCTAssertEqual(list.name, "Letters of 1907")
            XCTAssertEqual(events.take(), ["name"])
            bench.close()
        }
    }

    /// Rows are drawn because a client has asked for them, the latest request first. Only rows that a client may
    /// still be reading are drawn.
    func testRowsFarAwayGetTheirTextAndLinks() throws {
        try onMain {
            let (bench, list) = Self.rest { _ in Self.areas }
            let row = try XCTUnwrap(list[9_000])
            XCTAssertEqual(row.text, "Number 9000")
            XCTAssertEqual(row.children.count, 0)
            pump { row.text == "Row 9000" }
            XCTAssertEqual(row.text, "Row 9000")
            XCTAssertEqual(row.children.map(\.name), ["Row", "https://bare.example", "Close"])
            let rows = (15_000..<15_100).map { list[$0] }
            pump { rows[68]?.name == "Row 15068" }
            XCTAssertEqual(bench.engine.started.filter { $0 > 9_000 }, (15_068..<15_100).reversed())
            XCTAssertEqual(rows[67]?.name, "Number 15067")
            bench.close()
        }
    }

    /// A row moves while it is drawn, another is removed before it is drawn, and the list itself is destroyed.
    func testARowFarAwayThatChangesWhileItIsDrawn() throws {
        try onMain {
            let (bench, list) = Self.rest()
            let rows = try [9_001, 9_000].map { try XCTUnwrap(list[$0]) }
            bench.engine.hold()
            pump { bench.engine.started.contains(9_000) }
            bench.source.numbers.removeFirst(10)
            bench.list.removeRows(0..<10)
            bench.source.numbers.remove(at: 8_991)
            bench.list.removeRows(8_991..<8_992)
            bench.engine.release()
            pump { rows[1].text == "Row 9000" }
            XCTAssertEqual(rows[1].text, "Row 9000")
            XCTAssertEqual(rows[1].index, 8_990)
            XCTAssert(rows[0].has(ATK_STATE_DEFUNCT))
            bench.pumpUntilComplete()
            XCTAssertFalse(bench.engine.started.contains(9_001))
            bench.engine.hold()
            let last = try XCTUnwrap(list[19_000])
            pump { bench.engine.started.contains(19_011) }
            weak let ended = bench.list
            bench.close()
            bench.engine.release()
            XCTAssertNil(ended)
            XCTAssert(last.has(ATK_STATE_DEFUNCT))
        }
    }

    /// Orca walks through the table's rows if an object is a table, and through all children otherwise.
    func testTheTableHasTheRowsOnTheScreen() {
        onMain {
            let (bench, list) = Self.rest()
            XCTAssertEqual(list.tableRows, Array(bench.list.visibleRows))
            bench.list.scroll(to: 12_345, .top)
            bench.pumpUntilComplete()
            XCTAssertEqual(list.tableRows, Array(bench.list.visibleRows))
            let origin = bench.origin()
            XCTAssertEqual(list.child(atX: origin.x + 9, y: origin.y + 3)?.index, 12_345)
            XCTAssertNil(list.child(atX: origin.x - 3, y: origin.y + 3))
            XCTAssertEqual(list.box().prefix(2), [origin.x, origin.y])
            bench.close()
        }
    }

    func testWalkingThroughALongListKeepsFewRows() throws {
        try onMain {
            let (bench, list) = Self.rest()
            let first = try XCTUnwrap(list[0])
            let kept = try XCTUnwrap(list[7_000])
            for number in 0..<20_000 { XCTAssertNotNil(list[number]) }
            XCTAssertLessThan(bench.list.accessible.count, 2_000)
            // A client still holds these objects.
            XCTAssertEqual(list[0]?.object, first.object)
            XCTAssertEqual(list[7_000]?.object, kept.object)
            XCTAssertFalse(kept.has(ATK_STATE_DEFUNCT))
            bench.close()
        }
    }

    func testARowHasText() throws {
        try onMain {
            let (bench, list) = Self.rest()
            let row = try XCTUnwrap(list[2])
            XCTAssertEqual([row.text, row.text(0, 3), row.text(4, 99)], ["Row 2", "Row", "2"])
            XCTAssertEqual(row.characterCount, 5)
            for (offset, granularity, text) in [
                (1, ATK_TEXT_GRANULARITY_CHAR, "o"), (5, ATK_TEXT_GRANULARITY_CHAR, ""),
                (0, ATK_TEXT_GRANULARITY_WORD, "Row "), (4, ATK_TEXT_GRANULARITY_WORD, "2"),
                (5, ATK_TEXT_GRANULARITY_WORD, "2"), (2, ATK_TEXT_GRANULARITY_LINE, "Row 2"),
                (2, ATK_TEXT_GRANULARITY_SENTENCE, "Row 2"), (-1, ATK_TEXT_GRANULARITY_WORD, ""),
                (6, ATK_TEXT_GRANULARITY_LINE, ""), (Int32.max, ATK_TEXT_GRANULARITY_WORD, ""),
            ] as [(Int32, AtkTextGranularity, String)] {
                XCTAssertEqual(row.string(at: offset, granularity) ?? "", text, "\(offset) \(granularity)")
            }
            for (start, end) in [(-5, 3), (5, 2), (99, 100), (Int32.max, -1)] as [(Int32, Int32)] {
                XCTAssertEqual(row.text(start, end) ?? "", "", "\(start) \(end)")
            }
            // Without areas, every character has the box of its row.
            XCTAssertEqual(row.characterBox(2), row.box())
            bench.close()
        }
    }

    /// A link over two lines, a link without text, and one whose text is not in the row's text.
    private static let areas = [
        PictureArea(x: 0, y: 0, width: 380, height: 40, identifier: "all"),
        PictureArea(x: 300, y: 10, width: 80, height: 15, target: "there", label: "Row"),
        PictureArea(x: 0, y: 25, width: 40, height: 15, target: "there", label: "Row"),
        PictureArea(x: 200, y: 30, width: 9, height: 9, target: "https://bare.example"),
        PictureArea(x: 220, y: 30, width: 9, height: 9, target: "button", label: "Close"),
    ]

    func testLinksAreNamedByTheirWords() throws {
        try onMain {
            let (bench, list) = Self.rest { _ in Self.areas }
            let row = try XCTUnwrap(list[1])
            let links = row.children
            XCTAssertEqual(links.map(\.name), ["Row", "https://bare.example", "Close"])
            XCTAssertEqual(links.map(\.role), [ATK_ROLE_LINK, ATK_ROLE_LINK, ATK_ROLE_LINK])
            XCTAssertEqual(links.map(\.index), [0, 1, 2])
            XCTAssert(links.allSatisfy { $0.parent == row.object && $0.isShowing })
            XCTAssertNil(row[3])
            let (left, top) = (bench.origin().x + 8, bench.origin().y + Int(bench.list.screenTop(of: 1)) + 6)
            XCTAssertEqual(
                links.map { $0.box() },
                [
                    [left, top + 10, 380, 30], [left + 200, top + 30, 9, 9], [left + 220, top + 30, 9, 9],
                ])
            XCTAssertEqual(links[1].box(ATK_XY_PARENT), [208, 36, 9, 9])
            // The bounding box of the two-line link contains these points, too, but neither of its lines does.
            XCTAssertEqual(row.child(atX: left + 225, y: top + 35)?.name, "Close")
            XCTAssertEqual(row.child(atX: left + 10, y: top + 39)?.name, "Row")
            XCTAssertNil(row.child(atX: left + 150, y: top + 15))
            XCTAssertEqual(row.linkCount, 1)
            XCTAssertEqual(row.linkRange(0), 0..<3)
            XCTAssertEqual(row.linkTarget(0), "there")
            XCTAssertNil(row.linkRange(1))
            XCTAssertNil(row.linkRange(-1))
            XCTAssertEqual(row.characterBox(1), links[0].box())
            XCTAssertEqual(row.characterBox(4), row.box())
            var told: [String] = []
            bench.list.onLink = { told.append("\($0) \($1)") }
            for link in links { XCTAssert(link.act()) }
            XCTAssertFalse(links[0].act(1))
            XCTAssertEqual(told, ["1 there", "1 https://bare.example", "1 button"])
            bench.close()
        }
    }
}
