import Foundation

/// The selected items, and the cursor with which the keyboard moves.
package struct ItemSelection: Equatable, Sendable {
    /// The number of items that can be selected.
    package enum Mode: Sendable { case none, single, multiple }

    package let mode: Mode
    package private(set) var items = IndexSet()
    /// The item that has the keyboard's focus.
    package private(set) var cursor: Int?
    /// The item from which a range extends.
    private var anchor: Int?

    package init(_ mode: Mode) { self.mode = mode }

    /// Selects one item only.
    package mutating func select(_ item: Int) {
        (cursor, anchor) = (item, item)
        if mode != .none { items = [item] }
    }

    /// Selects an item, or deselects it if it is selected.
    package mutating func toggle(_ item: Int) {
        let wasSelected = items.contains(item)
        (cursor, anchor) = (item, item)
        switch mode {
        case .none: return
        case .single: items = wasSelected ? [] : [item]
        case .multiple: if wasSelected { items.remove(item) } else { items.insert(item) }
        }
    }

    /// Selects the range from the item that was last selected individually to this one.
    ///
    /// - Parameter adds: true to keep the other selected items.
    package mutating func extend(to item: Int, adds: Bool = false) {
        guard mode == .multiple else { return select(item) }
        let start = anchor ?? item
        (cursor, anchor) = (item, start)
        let range = IndexSet(integersIn: min(start, item)...max(start, item))
        items = adds ? items.union(range) : range
    }

    /// Moves the cursor, and selects nothing.
    package mutating func move(to item: Int) {
        (cursor, anchor) = (item, item)
    }

    /// Replaces the selection. In single-selection mode, only the first one counts. The cursor moves to the first one
    /// unless it is already at one of them.
    package mutating func set(_ new: IndexSet) {
        switch mode {
        case .none: return
        case .single: items = new.first.map { [$0] } ?? []
        case .multiple: items = new
        }
        guard let first = items.first, cursor.map(items.contains) != true else { return }
        (cursor, anchor) = (first, first)
    }

    package mutating func selectAll(_ count: Int) {
        if mode == .multiple, count > 0 { set(IndexSet(integersIn: 0..<count)) }
    }

    /// Deselects all items. The cursor stays.
    package mutating func clear() { items = [] }

    /// Forgets everything, because the items have been replaced.
    package mutating func reset() { self = ItemSelection(mode) }

    // MARK: Insertion and removal

    package mutating func insert(_ count: Int, at item: Int) {
        items.shift(startingAt: item, by: count)
        func shifted(_ old: Int) -> Int { old < item ? old : old + count }
        (cursor, anchor) = (cursor.map(shifted), anchor.map(shifted))
    }

    package mutating func remove(_ range: Range<Int>) {
        if range.isEmpty { return }
        items.remove(integersIn: range)
        items.shift(startingAt: range.upperBound, by: -range.count)
        func shifted(_ old: Int) -> Int? {
            range.contains(old) ? nil : old < range.lowerBound ? old : old - range.count
        }
        (cursor, anchor) = (cursor.flatMap(shifted), anchor.flatMap(shifted))
    }
}
