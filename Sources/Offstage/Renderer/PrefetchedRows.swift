/// The rows of a list that a prefetcher has asked for and that are still in its range.
struct PrefetchedRows {
    typealias Wanted = (identifier: String, priority: RenderPriority)

    /// It stays here when it is drawn, so that it is not asked for again while it is in the range.
    private struct Row {
        let visit: Int
        var priority: RenderPriority
        /// The request; nil until it is made.
        var number: Int?
    }

    /// A row's time in the range; the number tells it from the same row's that left and came back.
    struct Visit {
        let identifier: String
        let number: Int
        let priority: RenderPriority
    }

    private var rows: [String: Row] = [:]
    private var lastVisit = 0

    /// - Returns: the rows that are new, the requests whose priority changes, and those that nobody needs any more.
    mutating func move(
        to wanted: [Wanted]
    ) -> (arriving: [Visit], staying: [(number: Int, priority: RenderPriority)], leaving: [Int]) {
        let before = rows
        rows = [:]
        var arriving: [Visit] = []
        var staying: [(Int, RenderPriority)] = []
        for (identifier, priority) in wanted where rows[identifier] == nil {
            if var row = before[identifier] {
                if let number = row.number, row.priority != priority { staying.append((number, priority)) }
                row.priority = priority
                rows[identifier] = row
            } else {
                lastVisit += 1
                rows[identifier] = Row(visit: lastVisit, priority: priority)
                arriving.append(Visit(identifier: identifier, number: lastVisit, priority: priority))
            }
        }
        let leaving = before.filter { rows[$0.key] == nil }.compactMap(\.value.number).sorted()
        return (arriving, staying, leaving)
    }

    /// - Returns: the priority that the row has by now; nil if its visit is over.
    mutating func note(_ number: Int, for visit: Visit) -> RenderPriority? {
        guard rows[visit.identifier]?.visit == visit.number else { return nil }
        rows[visit.identifier]?.number = number
        return rows[visit.identifier]?.priority
    }
}
