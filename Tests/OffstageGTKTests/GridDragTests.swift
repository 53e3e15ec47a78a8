import CGTK
import CTestEvents
import Foundation
import Offstage
import OffstageGLib
import XCTest

@testable import OffstageGTK

/// Dragging files out of a grid.
final class GridDragTests: XCTestCase {
    /// A window that accepts dropped files.
    @MainActor
    private final class Target {
        let window = gtk_window_new(GTK_WINDOW_POPUP)!
        private(set) var dropped: [[String]] = []
        private let handlers = SignalHandlers()

        init(x: Int32, y: Int32) {
            let targets = gtk_target_list_new(nil, 0)
            gtk_target_list_add_uri_targets(targets, 0)
            gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY)
            gtk_drag_dest_set_target_list(window, targets)
            gtk_target_list_unref(targets)
            typealias Received =
                @convention(c) (
                    gpointer, OpaquePointer, gint, gint, OpaquePointer, guint, guint, gpointer
                ) -> Void
            let received: Received = { _, _, _, _, selection, _, _, data in
                onMainActor((selection, data)) { selection, data in
                    guard let uris = gtk_selection_data_get_uris(selection) else { return }
                    defer { g_strfreev(uris) }
                    var names: [String] = []
                    var next = uris
                    while let name = next.pointee {
                        names.append(String(cString: name))
                        next += 1
                    }
                    receiver(data, as: Target.self)?.dropped.append(names)
                }
            }
            handlers.connect("drag-data-received", of: window, unsafeBitCast(received, to: GCallback.self), to: self)
            gtk_window_set_default_size(cast(window), 150, 150)
            gtk_window_move(cast(window), x, y)
            gtk_widget_show_all(window)
        }
    }

    @MainActor
    private static func bench(_ options: GridOptions = NumberGrid.options()) -> NumberGrid {
        let source = NumberCells(100)
        // The third cell has no file.
        source.file = { $0 == 2 ? nil : URL(fileURLWithPath: "/in/a picture \($0).png") }
        let bench = NumberGrid(options: options, source: source)
        bench.pumpUntilComplete()
        return bench
    }

    /// Presses the button on a cell and moves the pointer to a point on the screen, in small steps.
    @MainActor
    private static func drag(_ bench: NumberGrid, _ cell: Int, toX x: Int, y: Int) {
        let (box, origin) = (bench.box(of: cell), bench.origin())
        bench.move(box.x + 50, box.y + 40)
        test_button(1, 1)
        bench.settle()
        let start = (x: origin.x + box.x + 50, y: origin.y + box.y + 40)
        for step in 1...8 {
            test_pointer_move(Int32(start.x + (x - start.x) * step / 8), Int32(start.y + (y - start.y) * step / 8))
            bench.settle()
        }
    }

    func testFilesOfTheSelectedCellsAreDropped() {
        onMain {
            let bench = Self.bench()
            let target = Target(x: 820, y: 600)
            bench.click(cell: 1)
            bench.click(cell: 4, holding: [GDK_KEY_Shift_L])
            Self.drag(bench, 3, toX: 880, y: 660)
            test_button(1, 0)
            XCTAssert(pump { !target.dropped.isEmpty })
            XCTAssertEqual(
                target.dropped,
                [
                    [
                        "file:///in/a%20picture%201.png", "file:///in/a%20picture%203.png",
                        "file:///in/a%20picture%204.png",
                    ]
                ])
            XCTAssertEqual(Array(bench.grid.selection), [1, 2, 3, 4])
            // A cell that is not selected is dragged alone.
            Self.drag(bench, 9, toX: 880, y: 660)
            test_button(1, 0)
            XCTAssert(pump { target.dropped.count == 2 })
            XCTAssertEqual(target.dropped[1], ["file:///in/a%20picture%209.png"])
            gtk_widget_destroy(target.window)
            bench.close()
        }
    }

    func testACellWithoutAFileIsNotDragged() {
        onMain {
            let bench = Self.bench()
            Self.drag(bench, 2, toX: 880, y: 660)
            guard case .none = bench.grid.gesture else { return XCTFail("\(bench.grid.gesture)") }
            test_button(1, 0)
            bench.settle()
            bench.close()
        }
    }
}
