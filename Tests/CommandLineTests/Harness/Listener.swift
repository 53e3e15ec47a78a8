import Foundation
import Synchronization

/// Ports of this machine, several for each document of a test. They record who connects and who sends something. They
/// never answer: a request is closed at once, so that its load fails without a delay.
final class Listener: Sendable {
    /// The names of documents that connected.
    struct Visits: Sendable {
        var connected: Set<String> = []
        /// The documents that also sent something, such as a request. WebKit may connect to a host before a load that
        /// is then refused.
        var sent: Set<String> = []
    }

    private struct State {
        var doors: [String: Doors] = [:]
        var connections: [(name: String, socket: Int32)] = []
        var visits = Visits()
        var isOver = false
    }

    private let state = Mutex(State())

    init() {
        let thread = Thread { [self] in while look() { usleep(2000) } }
        thread.start()
    }

    /// Opens ports for a document.
    func open(for name: String) throws -> (tcp: UInt16, udp: UInt16) {
        try state.withLock { state in
            let doors = try Doors()
            state.doors[name] = doors
            return (doors.tcp, doors.udp)
        }
    }

    /// Closes the ports and returns the visits.
    func end() -> Visits {
        _ = look()
        return state.withLock { state in
            for connection in state.connections { close(connection.socket) }
            (state.isOver, state.doors, state.connections) = (true, [:], [])
            return state.visits
        }
    }

    private func look() -> Bool {
        state.withLock { state in
            for (name, doors) in state.doors {
                let (connections, datagrams) = doors.take()
                state.connections += connections.map { (name, $0) }
                if !connections.isEmpty || datagrams > 0 { state.visits.connected.insert(name) }
                if datagrams > 0 { state.visits.sent.insert(name) }
            }
            var byte: UInt8 = 0
            state.connections = state.connections.filter { name, socket in
                let count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT))
                if count < 0, errno == EAGAIN { return true }
                if count > 0 { state.visits.sent.insert(name) }
                close(socket)
                return false
            }
            return !state.isOver
        }
    }
}
