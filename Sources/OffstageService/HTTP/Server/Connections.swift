import COffstageSystem
import CSoup
import Foundation
import OffstageGLib

/// All connections of a service.
///
/// A connection that has sent nothing yet costs only a descriptor: it waits in an epoll set beside GLib's loop, because each turn of
/// the loop takes time for each of its sources.
@MainActor
final class Connections {
    private let limit: Int
    private let idleTimeout: Duration
    private var silent: [Int32: (since: ContinuousClock.Instant, isNetwork: Bool)] = [:]
    private var speaking: [OpaquePointer: Connection] = [:]
    /// Connections of refused clients that still send. Their bytes are dropped, so that they can read the answer before the end.
    private var lingering: [Int32: (until: ContinuousClock.Instant, watch: DescriptorWatch)] = [:]
    private let poll: Int32
    private var hearing: DescriptorWatch?
    private var sweeping: LoopTimer?
    private let speak: @MainActor (Int32, Bool) -> Void
    private let onSweep: @MainActor () -> Void

    var count: Int { silent.count + speaking.count + lingering.count }

    /// - Parameters:
    ///   - speak: gets a descriptor when its client sends the first byte.
    ///   - onSweep: called each second.
    init(
        limit: Int, idleTimeout: Double, _ speak: @escaping @MainActor (Int32, _ isNetwork: Bool) -> Void,
        onSweep: @escaping @MainActor () -> Void
    ) {
        (self.limit, self.idleTimeout, self.speak, self.onSweep) = (limit, .seconds(idleTimeout), speak, onSweep)
        poll = offstage_poll_new()
        hearing = DescriptorWatch(poll) { [unowned self] in hear() }
        sweeping = LoopTimer(seconds: 1, repeats: true) { [unowned self] in sweep() }
    }

    isolated deinit {
        hearing = nil
        sweeping = nil
        for descriptor in silent.keys { close(descriptor) }
        for descriptor in lingering.keys { endLingering(descriptor) }
        close(poll)
    }

    /// Adds a connection, or closes it if there are too many.
    func add(_ descriptor: Int32, isNetwork: Bool) {
        if count < limit, offstage_poll_add(poll, descriptor) == 0 {
            silent[descriptor] = (.now, isNetwork)
        } else {
            close(descriptor)
        }
    }

    func add(_ connection: Connection) { speaking[OpaquePointer(connection.address)] = connection }

    /// The connection of a message.
    func connection(of message: OpaquePointer) -> Connection? {
        soup_server_message_get_remote_address(message).flatMap { speaking[OpaquePointer($0)] }
    }

    /// Removes a connection that is being closed.
    func remove(_ connection: Connection) {
        speaking[OpaquePointer(connection.address)] = nil
        if connection.gate.refusal != nil, !connection.isCut { linger(connection.descriptor) }
    }

    // MARK: Refused clients

    private static let lingeringTime = Duration.seconds(10)

    /// Closing a socket with unread bytes would discard the answer, which was sent last. The socket therefore stays open for a while.
    private func linger(_ descriptor: Int32) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { return }
        let watch = DescriptorWatch(copy) { [unowned self] in drop(copy) }
        lingering[copy] = (.now + Self.lingeringTime, watch)
        // After the final message of TLS.
        DispatchQueue.main.async { [weak self] in
            if self?.lingering[copy] != nil { shutdown(copy, Int32(SHUT_WR)) }
        }
    }

    private func drop(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 262_144, alignment: 16) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN { endLingering(descriptor) }
        }
    }

    private func endLingering(_ descriptor: Int32) {
        guard let one = lingering.removeValue(forKey: descriptor) else { return }
        one.watch.stop()
        close(descriptor)
    }

    /// Closes connections without a request in progress, because the service stops.
    func closeIdle() {
        for descriptor in silent.keys { close(descriptor) }
        silent = [:]
        for connection in speaking.values where connection.exchange == nil { connection.cut() }
    }

    func closeAll() {
        closeIdle()
        for connection in speaking.values { connection.cut() }
        for descriptor in lingering.keys { endLingering(descriptor) }
    }

    private func hear() {
        var ready = [Int32](repeating: 0, count: 64)
        let count = offstage_poll_ready(poll, &ready, Int32(ready.count))
        for descriptor in ready.prefix(max(0, Int(count))) {
            guard let one = silent[descriptor] else { continue }
            let state = Self.state(of: descriptor)
            if state == .silent { continue }
            silent[descriptor] = nil
            offstage_poll_remove(poll, descriptor)
            if state == .speaking { speak(descriptor, one.isNetwork) } else { close(descriptor) }
        }
    }

    private enum ClientState { case silent, speaking, gone }

    /// A client that leaves without a word makes its socket readable, too. Such a connection is closed at once: with TLS, it would
    /// get a handshake on one of GIO's few threads.
    private static func state(of descriptor: Int32) -> ClientState {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return .speaking }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .silent : .gone
    }

    /// Closes connections without progress. One that waits for a picture is not idle (`Exchange.isWaiting`).
    private func sweep() {
        let now = ContinuousClock.now
        for (descriptor, one) in silent where one.since + idleTimeout < now {
            silent[descriptor] = nil
            close(descriptor)
        }
        for connection in speaking.values where connection.isLate(now, after: idleTimeout) {
            if connection.isCut { connection.close() } else { connection.cut() }
        }
        for (descriptor, one) in lingering where one.until < now { endLingering(descriptor) }
        onSweep()
    }
}
