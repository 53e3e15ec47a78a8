/// The numbers of the waiting jobs, in the order in which they will start. A smaller number arrived earlier.
///
/// Higher priorities are first. Within a priority, each client gets a fair share (`ClientTurns`). A number keeps its
/// age when its priority changes.
struct WaitingLine {
    /// The number of times in a row that higher priorities are served before the priority with the oldest number. After
    /// that, the oldest number is served.
    ///
    /// Only one job is served, rather than raising the priority of all waiting jobs. Otherwise, after a busy period,
    /// off-screen rows would all be ahead of the visible rows.
    static let patience = 16
    /// The maximum number of clients whose turns a job uses, because thousands may wait for one picture.
    static let mostClients = 8

    /// The position of a waiting job.
    struct Place: Equatable {
        var priority: RenderPriority
        /// Distinct clients, at least one.
        var clients: [RenderClient]

        func gains<Key, Value>(by request: QueueState<Key, Value>.Request) -> Bool {
            priority < request.priority || clients.count < mostClients && !clients.contains(request.client)
        }

        mutating func add<Key, Value>(_ request: QueueState<Key, Value>.Request) {
            priority = max(priority, request.priority)
            if clients.count < mostClients, !clients.contains(request.client) { clients.append(request.client) }
        }
    }

    private var places: [Int: Place] = [:]
    private var levels = RenderPriority.allCases.map { _ in ClientTurns() }
    private var overtakes = 0

    var count: Int { places.count }
    /// The number of waiting jobs above the lowest priority.
    private(set) var othersCount = 0
    /// The number of entries in the heaps, including outdated ones.
    var entryCount: Int { levels.map(\.entryCount).reduce(0, +) }

    func place(of number: Int) -> Place? { places[number] }

    /// Adds a number, or moves it.
    mutating func set(_ number: Int, to place: Place) {
        let old = places.updateValue(place, forKey: number)
        if old == place { return }
        if place.priority > .veryLow { othersCount += 1 }
        if let old, old.priority > .veryLow { othersCount -= 1 }
        let level = place.priority.rawValue
        // Entries of remaining clients stay in place.
        if let old, old.priority == place.priority {
            for client in place.clients where !old.clients.contains(client) { levels[level].add(number, of: client) }
            for client in old.clients where !place.clients.contains(client) { levels[level].remove(number, of: client) }
        } else {
            if let old { leave(number, old) }
            for client in place.clients { levels[level].add(number, of: client) }
        }
        levels[level].compact(place.clients) { [places] in Self.isThere($0, $1, level, places) }
    }

    mutating func remove(_ number: Int) {
        guard let place = places.removeValue(forKey: number) else { return }
        if place.priority > .veryLow { othersCount -= 1 }
        leave(number, place)
    }

    private mutating func leave(_ number: Int, _ place: Place) {
        for client in place.clients { levels[place.priority.rawValue].remove(number, of: client) }
    }

    /// The highest waiting priority, and the oldest job overall. The line must not be empty.
    var first: (priority: RenderPriority, oldest: Int) {
        mutating get {
            var (top, oldest) = (0, Int.max)
            for level in levels.indices where !levels[level].isEmpty {
                guard let number = levels[level].oldest(where: { [places] in places[$0]?.priority.rawValue == level })
                else { continue }
                (top, oldest) = (level, min(oldest, number))
            }
            return (RenderPriority.allCases[top], oldest)
        }
    }

    mutating func takeFirst() -> Int? {
        var oldest: (number: Int, level: Int)?
        var top = 0
        for level in levels.indices where !levels[level].isEmpty {
            top = level
            guard let number = levels[level].oldest(where: { [places] in places[$0]?.priority.rawValue == level })
            else { continue }
            if number < oldest?.number ?? .max { oldest = (number, level) }
        }
        guard let oldest else { return nil }
        let isOldestsTurn = top == oldest.level || overtakes == Self.patience
        overtakes = isOldestsTurn ? 0 : overtakes + 1
        let level = isOldestsTurn ? oldest.level : top
        let number = levels[level].takeTurn { [places] in Self.isThere($0, $1, level, places) }
        if let number { remove(number) }
        return number
    }

    /// The job that is dropped if too many wait: in the lowest priority, the oldest job of the client with the most
    /// waiting jobs relative to its share. So no client loses a position to another client that sends more.
    mutating func leastWanted() -> (number: Int, priority: RenderPriority)? {
        for priority in RenderPriority.allCases {
            let level = priority.rawValue
            let number = levels[level].oldestOfLongest { [places] in Self.isThere($0, $1, level, places) }
            if let number { return (number, priority) }
        }
        return nil
    }

    private static func isThere(_ number: Int, _ client: String, _ level: Int, _ places: [Int: Place]) -> Bool {
        guard let place = places[number], place.priority.rawValue == level else { return false }
        return place.clients.contains { $0.name == client }
    }
}
