/// The rows of a list in a prefetcher's range.
struct PrefetchedRows {
    typealias Wanted = (identifier: String, priority: RenderPriority)

    /// A row in the range. It stays after it is drawn, so that it is not requested again.
    private struct Row {
        let visit: Int
        var priority: RenderPriority
        /// The request; nil until it is made.
        var number: Int?
    }

    /// A row's stay in the range. Its number distinguishes it from an earlier stay of the same row.
    struct Visit {
        let identifier: String
        let number: Int
        let priority: RenderPriority
    }

    private var rows: [String: Row] = [:]
    private var lastVisit = 0

    /// - Returns: the new rows, the requests whose priority changes, and the requests to cancel.
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

    /// - Returns: the row's current priority; nil if it has left the range.
    mutating func note(_ number: Int, for visit: Visit) -> RenderPriority? {
        guard rows[visit.identifier]?.visit == visit.number else { return nil }
        rows[visit.identifier]?.number = number
        return rows[visit.identifier]?.priority
    }
}
