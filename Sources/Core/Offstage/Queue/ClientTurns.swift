/// The waiting jobs of one priority, in weighted fair queuing.
///
/// Each turn has a time, and the earliest is next. A client's next turn is one `stride` after its last one, or after
/// the last turn of all clients if that is later. So a client that was idle has accumulated no credit, and waits for at
/// most one job of each other client when it returns. Entries of removed jobs stay in the heaps and are skipped later.
struct ClientTurns {
    private struct Client {
        var numbers = MinHeap<Int>()
        /// Waiting jobs, without outdated entries.
        var count = 0
        var share: Int
        var turn: Turn
    }

    private struct Turn: Comparable, Hashable {
        var time: Int
        /// Among turns at the same time, a client's first turn is before other clients' next turns.
        var isNext: Bool
        /// If these are equal, too, the turn that was assigned earlier is first.
        var order: Int
        var client: String

        static func < (one: Turn, other: Turn) -> Bool {
            (one.time, one.isNext ? 1 : 0, one.order) < (other.time, other.isNext ? 1 : 0, other.order)
        }
    }

    private var clients: [String: Client] = [:]
    private var turns = MinHeap<Turn>()
    /// The jobs of all clients, to find the oldest.
    private var numbers = MinHeap<Int>()
    /// Waiting jobs, counted once for each of their clients.
    private var count = 0
    private var lastTime = 0
    private var lastOrder = 0

    /// The time between two turns of a client with a share of 1.
    private static let stride = 5040

    var isEmpty: Bool { count == 0 }
    var entryCount: Int { clients.values.reduce(numbers.count + turns.count) { $0 + $1.numbers.count } }

    mutating func add(_ number: Int, of client: RenderClient) {
        numbers.insert(number)
        count += 1
        if clients[client.name] == nil {
            let turn = turn(of: client.name, share: client.share, isNext: false, after: lastTime)
            clients[client.name] = Client(share: client.share, turn: turn)
        }
        clients[client.name]?.share = client.share
        clients[client.name]?.numbers.insert(number)
        clients[client.name]?.count += 1
    }

    mutating func remove(_ number: Int, of client: RenderClient) {
        count -= 1
        clients[client.name]?.count -= 1
        if clients[client.name]?.count == 0 { clients[client.name] = nil }
    }

    private mutating func turn(of client: String, share: Int, isNext: Bool, after time: Int) -> Turn {
        lastOrder += 1
        let turn = Turn(
            time: time + max(1, Self.stride / max(1, share)), isNext: isNext, order: lastOrder, client: client)
        turns.insert(turn)
        return turn
    }

    typealias IsThere = (_ number: Int, _ client: String) -> Bool

    /// The oldest job of the client that has the next turn. The caller removes it.
    ///
    /// - Parameter isThere: returns false for an outdated entry.
    mutating func takeTurn(_ isThere: IsThere) -> Int? {
        while let turn = turns.first {
            turns.removeFirst()
            guard clients[turn.client]?.turn == turn, let number = first(of: turn.client, isThere) else { continue }
            lastTime = turn.time
            let share = clients[turn.client]?.share ?? 1
            let next = self.turn(of: turn.client, share: share, isNext: true, after: turn.time)
            clients[turn.client]?.turn = next
            return number
        }
        return nil
    }

    /// - Parameter isThere: returns false for an outdated entry.
    mutating func oldest(where isThere: (_ number: Int) -> Bool) -> Int? {
        while let number = numbers.first {
            if isThere(number) { return number }
            numbers.removeFirst()
        }
        return nil
    }

    /// The oldest job of the client with the most jobs relative to its share.
    mutating func oldestOfLongest(_ isThere: IsThere) -> Int? {
        // Integers give the same result on every machine.
        func isLonger(_ one: Client, _ other: Client) -> Bool { one.count * other.share > other.count * one.share }
        guard let longest = clients.values.max(by: { isLonger($1, $0) }) else { return nil }
        let names = clients.compactMap { isLonger(longest, $0.value) ? nil : $0.key }
        return names.compactMap { first(of: $0, isThere) }.min()
    }

    private mutating func first(of client: String, _ isThere: IsThere) -> Int? {
        while let number = clients[client]?.numbers.first {
            if isThere(number, client) { return number }
            clients[client]?.numbers.removeFirst()
        }
        return nil
    }

    /// Removes outdated entries if there are many: a host that changes priorities for hours while nothing starts must
    /// not fill the memory.
    ///
    /// - Parameter changed: the clients whose number of entries may have grown.
    mutating func compact(_ changed: [RenderClient], _ isThere: IsThere) {
        func isWorthIt(_ entries: Int, _ wanted: Int) -> Bool { entries > 2 * wanted + 64 }
        if isWorthIt(turns.count, clients.count) {
            turns.keep { [clients] turn in clients[turn.client]?.turn == turn }
        }
        if isWorthIt(numbers.count, count) {
            let wanted = Set(clients.flatMap { client in client.value.numbers.all.filter { isThere($0, client.key) } })
            numbers.keep { wanted.contains($0) }
        }
        for name in changed.map(\.name) {
            guard let client = clients[name], isWorthIt(client.numbers.count, client.count) else { continue }
            clients[name]?.numbers.keep { isThere($0, name) }
        }
    }
}
