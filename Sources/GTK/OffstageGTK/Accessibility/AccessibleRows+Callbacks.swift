import CGTK
import COffstageGTK
import OffstageGLib

/// Queries from assistive technology. ATK's bridge calls them on the main thread. Row numbers and points come from
/// other programs and may be invalid.
extension AccessibleRows {
    /// The functions that the canvas calls with the rows as data. The memory is never freed and never changes after its
    /// initialization, so any thread may read it.
    nonisolated(unsafe) static let callbacks: UnsafePointer<OffstageRows> = {
        let callbacks = UnsafeMutablePointer<OffstageRows>.allocate(capacity: 1)
        callbacks.initialize(
            to: OffstageRows(
                count: { data in onMainActor(data!) { Int32(clamping: owner(of: $0)?.accessibleCount ?? 0) } },
                ref_row: { data, row in
                    // The pointer stays on the main thread.
                    nonisolated(unsafe) var object: UnsafeMutablePointer<AtkObject>?
                    onMainActor(data!) { data in
                        object = receiver(data, as: AccessibleRows.self)?.row(Int(row))?.object
                        if let object { g_object_ref(object) }
                    }
                    return object
                },
                on_screen: { data, first in
                    onMainActor((data!, first!)) { data, first in
                        let rows = owner(of: data)?.accessibleRowsOnScreen ?? 0..<0
                        first.pointee = Int32(clamping: rows.lowerBound)
                        return Int32(clamping: rows.count)
                    }
                },
                row_at: { data, x, y in
                    onMainActor(data!) { Int32(clamping: owner(of: $0)?.item(atScreen: Double(x), Double(y)) ?? -1) }
                },
                link_at: { data, row, x, y in
                    onMainActor(data!) {
                        Int32(clamping: owner(of: $0)?.accessibleLink(row: Int(row), x: Int(x), y: Int(y)) ?? -1)
                    }
                },
                get_box: { data, row, link, box in
                    onMainActor((data!, box!)) { data, box in
                        guard let found = owner(of: data)?.accessibleBox(row: Int(row), link: Int(link)) else {
                            return 0
                        }
                        box.pointee = found
                        return 1
                    }
                },
                selectable: { data in
                    onMainActor(data!) {
                        switch owner(of: $0)?.selectionMode {
                        case .multiple: 2
                        case .single: 1
                        default: 0
                        }
                    }
                },
                focused: { data in onMainActor(data!) { Int32(clamping: owner(of: $0)?.focusedRow ?? -1) } },
                is_selected: { data, row in
                    onMainActor(data!) { owner(of: $0)?.selectedRows.contains(Int(row)) == true ? 1 : 0 }
                },
                selected_count: { data in
                    onMainActor(data!) { Int32(clamping: owner(of: $0)?.selectedRows.count ?? 0) }
                },
                selected_at: { data, number in
                    onMainActor(data!) {
                        let rows = owner(of: $0)?.selectedRows ?? []
                        guard number >= 0, Int(number) < rows.count else { return -1 }
                        return Int32(clamping: rows[rows.index(rows.startIndex, offsetBy: Int(number))])
                    }
                },
                select: { data, row in change(data!, .add(Int(row))) },
                deselect: { data, row in change(data!, .remove(Int(row))) },
                select_all: { data, isAll in change(data!, isAll == 0 ? .none : .all) },
                focus: { data, row in onMainActor(data!) { owner(of: $0)?.accessibleFocus(Int(row)) == true ? 1 : 0 } },
                scroll: { data, row, type in
                    onMainActor(data!) { owner(of: $0)?.accessibleScroll(Int(row), type) == true ? 1 : 0 }
                },
                activate: { data, row, link in
                    onMainActor(data!) { owner(of: $0)?.accessibleActivate(Int(row), link: Int(link)) == true ? 1 : 0 }
                }))
        return UnsafePointer(callbacks)
    }()

    private nonisolated static func change(_ data: gpointer, _ change: AccessibleSelection) -> gboolean {
        onMainActor(data) { owner(of: $0)?.accessibleSelect(change) == true ? 1 : 0 }
    }

    private static func owner(of data: gpointer) -> (any AccessibleOwner)? {
        receiver(data, as: AccessibleRows.self)?.owner
    }
}
