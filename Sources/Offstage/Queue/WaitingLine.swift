/// The numbers of what waits, in the order in which it is to start. A smaller number was there earlier.
///
/// A number keeps its age when its priority changes. A change leaves the number's old place in its heap, where it is passed
/// over later: `priorities` alone says what waits, and how.
struct WaitingLine {
    /// So many times in a row a later number of higher priority may go before the oldest; then it is the oldest's turn.
    ///
    /// A share for the oldest, and not a rise in priority for all that are passed over: after a busy while the whole list
    /// below would have risen, and would stand before the rows in sight.
    static let patience = 16

    private var priorities: [Int: RenderPriority] = [:]
    private var levels = RenderPriority.allCases.map { _ in NumberHeap() }
    private var overtakes = 0

    var count: Int { priorities.count }
    /// Old ones counted too.
    var places: Int { levels.map(\.count).reduce(0, +) }

    func priority(of number: Int) -> RenderPriority? { priorities[number] }

    /// Adds a number, or changes its priority.
    mutating func set(_ number: Int, to priority: RenderPriority) {
        guard priorities.updateValue(priority, forKey: number) != priority else { return }
        levels[priority.rawValue].insert(number)
        // A host that changes priorities for hours while nothing starts must not fill the memory.
        if levels[priority.rawValue].count > 2 * count + 64 {
            levels[priority.rawValue].keep { priorities[$0] == priority }
        }
    }

    mutating func remove(_ number: Int) { priorities[number] = nil }

    mutating func takeFirst() -> Int? {
        let firsts = RenderPriority.allCases.compactMap { first(of: $0) }
        guard let best = firsts.last, let oldest = firsts.min() else { return nil }
        let isOldestsTurn = best == oldest || overtakes == Self.patience
        overtakes = isOldestsTurn ? 0 : overtakes + 1
        let next = isOldestsTurn ? oldest : best
        remove(next)
        return next
    }

    /// What has to go when there is no room: the oldest of the lowest priority.
    mutating func leastWanted() -> (number: Int, priority: RenderPriority)? {
        for priority in RenderPriority.allCases {
            if let number = first(of: priority) { return (number, priority) }
        }
        return nil
    }

    private mutating func first(of priority: RenderPriority) -> Int? {
        while let number = levels[priority.rawValue].first {
            if priorities[number] == priority { return number }
            levels[priority.rawValue].removeFirst()
        }
        return nil
    }
}
