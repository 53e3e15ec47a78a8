/// Assigns a few slots to rows of a long list: rows that leave give their slots to rows that arrive.
package struct RowSlots {
    /// A row that gets a slot or gives one up.
    package struct Change: Equatable {
        package var row: Int
        package var slot: Int
    }

    private var slots: [Int: Int] = [:]
    private var free: [Int] = []
    /// The maximum number of slots that were needed at once. All slot numbers are lower.
    package private(set) var count = 0

    package init() {}

    /// The slot of a row, or nil.
    package subscript(row: Int) -> Int? { slots[row] }

    /// The rows that have slots, in any order.
    package var rows: some Collection<Int> { slots.keys }

    /// Gives slots to these rows only. A row that has a slot keeps it.
    ///
    /// - Returns: the changes, each in the order of rows. A slot may be in both.
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

    /// Inserts rows without slots. Later rows keep their slots under new numbers.
    package mutating func insert(_ new: Int, at row: Int) {
        slots = Dictionary(uniqueKeysWithValues: slots.map { ($0 < row ? $0 : $0 + new, $1) })
    }

    /// Removes rows. Later rows keep their slots under new numbers.
    ///
    /// - Returns: the slots that became free.
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
