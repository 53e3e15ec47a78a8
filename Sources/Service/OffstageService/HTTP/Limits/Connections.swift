import Foundation
import Synchronization

/// All connections of a service, and the number that each client may have. Use it from any thread.
///
/// When connections run short, each new one replaces the oldest one that has not shown a token (or, without tokens,
/// has sent no request).
final class Connections: Sendable {
    private struct Entry {
        let connection: Connection
        /// Nil for a Unix socket.
        let address: String?
        /// In order of arrival. Identifies the connection: a later one can reuse the address of a freed object, but not its number.
        let number: Int
        var isSilent = true
        /// The name of the client's token.
        var client: String?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Connections that had sent no request when they were added, the oldest first. Some may have been closed since, or have sent
        /// one: `silentEntry` checks that.
        var silent: [(id: ObjectIdentifier, number: Int)] = []
        var lastNumber = 0

        /// - Returns: nil if the connection is closed or has sent a request since.
        func silentEntry(_ place: (id: ObjectIdentifier, number: Int)) -> Entry? {
            guard let entry = entries[place.id], entry.isSilent, entry.number == place.number else { return nil }
            return entry
        }

        /// The number of connections in networks, per address, and per token.
        var network = 0
        var addresses: [String: Int] = [:]
        var clients: [String: Int] = [:]
        var lastReport: ContinuousClock.Instant?
        var refused = 0
    }

    private let limit: Int
    /// The number of connections reserved for clients of Unix sockets.
    private let reserve: Int
    /// The maximum number of connections of an address or a token.
    private let share: Int
    private let limitsAddresses: Bool
    private let state = Mutex(State())
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - hasUnixSocket: an eighth of the connections is reserved for Unix sockets.
    ///   - limitsAddresses: an address may have at most half of the connections. False behind a proxy, and if only this
    ///     machine can connect.
    ///   - report: gets a line when connections are refused or closed to make room, at most once a minute.
    init(limit: Int, hasUnixSocket: Bool, limitsAddresses: Bool, report: @escaping @Sendable (String) -> Void) {
        (self.limit, self.limitsAddresses, self.report) = (limit, limitsAddresses, report)
        reserve = hasUnixSocket ? limit / 8 : 0
        share = max(1, limit / 2)
    }

    var count: Int { state.withLock { $0.entries.count } }

    /// Adds a connection.
    ///
    /// - Returns: false if the limits leave no connection for it.
    func add(_ connection: Connection) -> Bool {
        let address = connection.peer.address
        let (isAdded, victim, line) = state.withLock { state -> (Bool, Connection?, String?) in
            var victim: Connection?
            let isFull =
                state.entries.count >= limit || address != nil && state.network >= limit - reserve
            if let address, limitsAddresses, state.addresses[address, default: 0] >= share {
                return (false, nil, note(&state, "an address has \(share) connections; further ones are refused"))
            }
            if isFull {
                victim = oldestSilent(&state)
                guard victim != nil else {
                    return (false, nil, note(&state, "all \(limit) connections are in use; new ones are refused"))
                }
            }
            state.lastNumber += 1
            let entry = Entry(connection: connection, address: address, number: state.lastNumber)
            state.entries[ObjectIdentifier(connection)] = entry
            state.silent.append((ObjectIdentifier(connection), entry.number))
            if let address {
                state.network += 1
                state.addresses[address, default: 0] += 1
            }
            let line = isFull ? note(&state, "connections are scarce; idle ones are closed") : nil
            return (true, victim, line)
        }
        if let line { report(line) }
        if let victim { Task { await victim.close() } }
        return isAdded
    }

    /// Removes the oldest silent network connection from the list.
    private func oldestSilent(_ state: inout State) -> Connection? {
        guard let index = state.silent.firstIndex(where: { state.silentEntry($0)?.address != nil }),
            let victim = state.silentEntry(state.silent[index])?.connection
        else { return nil }
        // The connections before it are closed or have sent a request.
        state.silent.removeFirst(index + 1)
        forget(victim, &state)
        return victim
    }

    private func note(_ state: inout State, _ text: String) -> String? {
        state.refused += 1
        if let last = state.lastReport, last.duration(to: .now) < .seconds(60) { return nil }
        state.lastReport = .now
        defer { state.refused = 0 }
        return "\(text) (\(state.refused) since the last message)"
    }

    /// Records that a connection has sent a request, with a valid token if the service has tokens. From then on, it is not closed for
    /// new connections.
    ///
    /// - Parameter client: the name of its token; nil for none.
    /// - Returns: false if the client has too many connections.
    func admit(_ connection: Connection, client: String?) -> Bool {
        state.withLock { state in
            guard var entry = state.entries[ObjectIdentifier(connection)] else { return true }
            if !entry.isSilent, entry.client == client { return true }
            if let client, entry.client != client {
                if state.clients[client, default: 0] >= share { return false }
                state.clients[client, default: 0] += 1
                if let old = entry.client { Self.decrease(&state.clients, old) }
            }
            (entry.isSilent, entry.client) = (false, client ?? entry.client)
            state.entries[ObjectIdentifier(connection)] = entry
            return true
        }
    }

    /// Removes a connection that is closed.
    func remove(_ connection: Connection) { state.withLock { forget(connection, &$0) } }

    private func forget(_ connection: Connection, _ state: inout State) {
        guard let entry = state.entries.removeValue(forKey: ObjectIdentifier(connection)) else { return }
        if let address = entry.address {
            state.network -= 1
            Self.decrease(&state.addresses, address)
        }
        if let client = entry.client { Self.decrease(&state.clients, client) }
        // Drop closed connections once they make up most of the list.
        if state.silent.count > 2 * state.entries.count + 64 {
            state.silent = state.silent.filter { state.silentEntry($0) != nil }
        }
    }

    private static func decrease(_ counts: inout [String: Int], _ key: String) {
        let left = counts[key, default: 0] - 1
        counts[key] = left > 0 ? left : nil
    }

    /// All current connections.
    var all: [Connection] { state.withLock { $0.entries.values.map(\.connection) } }
}
