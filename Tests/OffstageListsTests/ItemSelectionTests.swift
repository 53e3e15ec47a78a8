import Foundation
import Testing

@testable import OffstageLists

/// Selecting items with clicks and keys.
@Suite struct ItemSelectionTests {
    private func selection(
        _ mode: ItemSelection.Mode = .multiple, _ changes: (inout ItemSelection) -> Void
    ) -> ItemSelection {
        var selection = ItemSelection(mode)
        changes(&selection)
        return selection
    }

    @Test func aRangeExtendsFromTheLastItemThatWasSelectedOnItsOwn() {
        var selection = ItemSelection(.multiple)
        selection.select(5)
        selection.extend(to: 8)
        #expect(Array(selection.items) == [5, 6, 7, 8])
        selection.extend(to: 3)
        #expect(Array(selection.items) == [3, 4, 5] && selection.cursor == 3)
        selection.toggle(10)
        #expect(Array(selection.items) == [3, 4, 5, 10])
        selection.extend(to: 12, adds: true)
        #expect(Array(selection.items) == [3, 4, 5, 10, 11, 12])
        selection.toggle(4)
        #expect(Array(selection.items) == [3, 5, 10, 11, 12] && selection.cursor == 4)
        selection.clear()
        #expect(selection.items.isEmpty && selection.cursor == 4)
    }

    @Test func oneItemOrNone() {
        let single = selection(.single) {
            $0.select(5)
            $0.extend(to: 8)
        }
        #expect(Array(single.items) == [8])
        #expect(Array(selection(.single) { $0.set([4, 6]) }.items) == [4])
        #expect(selection(.single) { $0.selectAll(9) }.items.isEmpty)
        #expect(selection(.single) { for _ in 0..<2 { $0.toggle(3) } }.items.isEmpty)
        let none = selection(.none) {
            $0.select(5)
            $0.toggle(6)
            $0.set([7])
            $0.selectAll(9)
            $0.extend(to: 8)
        }
        #expect(none.items.isEmpty && none.cursor == 8)
    }

    @Test func itemsKeepTheirSelectionUnderNewNumbers() {
        var selection = selection { $0.set([2, 3, 7]) }
        selection.insert(4, at: 3)
        #expect(Array(selection.items) == [2, 7, 11] && selection.cursor == 2)
        selection.remove(0..<8)
        #expect(Array(selection.items) == [3] && selection.cursor == nil)
        selection.extend(to: 5)
        #expect(Array(selection.items) == [5])
    }
}
