/// Which of a few slots shows which row of a long list: rows that leave give their slots to those that come.
package struct RowSlots {
    /// A row that has a slot from now on, or has none any more.
    package struct Change: Equatable {
        package var row: Int
        package var slot: Int
    }

    private var slots: [Int: Int] = [:]
    private var free: [Int] = []
    /// How many slots were ever needed at once; their numbers are below.
    package private(set) var count = 0

    package init() {}

    /// The slot that shows a row, if one does.
    package subscript(row: Int) -> Int? { slots[row] }

    /// All rows that have a slot, in no order.
    package var rows: some Collection<Int> { slots.keys }

    /// Shows these rows and no others. A row that is shown already keeps its slot.
    ///
    /// - Returns: both in the order of the rows. A slot may be among both.
    package mutating func show(_ rows: Range<Int>) -> (leaving: [Change], arriving: [Change]) {
        let leaving = slots.filter { !rows.contains($0.key) }.map { Change(row: $0.key, slot: $0.value) }
            .sorted { $0.row < $1.row }
        for change in leaving {
            slots[change.row] = nil
            free.append(change.slot)
        }
        var arriving: [Change] = []
        for row in rows where slots[row] == nil {
            let slot = free.popLast() ?? count
            count = max(count, slot + 1)
            slots[row] = slot
            arriving.append(Change(row: row, slot: slot))
        }
        return (leaving, arriving)
    }

    /// Makes room for new rows, which have no slots yet: those behind keep theirs under new numbers.
    package mutating func insert(_ new: Int, at row: Int) {
        slots = Dictionary(uniqueKeysWithValues: slots.map { ($0 < row ? $0 : $0 + new, $1) })
    }

    /// Takes rows out; those behind keep their slots under new numbers.
    ///
    /// - Returns: the slots that are free now.
    package mutating func remove(_ rows: Range<Int>) -> [Change] {
        let gone = slots.filter { rows.contains($0.key) }.map { Change(row: $0.key, slot: $0.value) }
            .sorted { $0.row < $1.row }
        for change in gone { slots[change.row] = nil }
        free += gone.map(\.slot)
        slots = Dictionary(
            uniqueKeysWithValues: slots.map { ($0 < rows.upperBound ? $0 : $0 - rows.count, $1) })
        return gone
    }
}
