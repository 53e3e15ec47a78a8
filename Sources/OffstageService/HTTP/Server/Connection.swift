import COffstageStream
import CSoup
import Foundation
import OffstageGLib

/// One client's connection, from when it first says something.
@MainActor
final class Connection {
    let descriptor: Int32
    let isNetwork: Bool
    /// Checks what the client sends.
    private(set) var gate: RequestGate
    /// libsoup has it, too: by it, its messages tell whose they are.
    let address: UnsafeMutablePointer<GSocketAddress>
    /// The client's name, for the turns of clients without tokens: the process at a Unix socket, however many connections it
    /// has; in a network the connection.
    let clientName: String
    private static var count = 0
    /// Of the client's bytes: the socket's, or TLS's. Until `serve`.
    private var base: UnsafeMutablePointer<GIOStream>?
    private let isEncrypted: Bool
    private var onClose: (@MainActor (Connection) -> Void)?
    /// When something last came or went.
    var lastMove = ContinuousClock.now
    /// The exchange under way; nil for none.
    weak var exchange: Exchange?
    /// The batch that has taken it over.
    weak var raw: RawConnection?
    private var leaving: DescriptorWatch?
    private var onLeave: (@MainActor () -> Void)?
    private var isClosed = false
    private(set) var isCut = false

    /// - Parameters:
    ///   - descriptor: taken over.
    ///   - certificate: of a connection by TLS.
    /// - Returns: nil for a socket that is broken already.
    init?(
        _ descriptor: Int32, isNetwork: Bool, certificate: UnsafeMutablePointer<GTlsCertificate>?, gate: RequestGate
    ) {
        if isNetwork { Self.prepare(descriptor) }
        guard let socket = g_socket_new_from_fd(descriptor, nil) else {
            Foundation.close(descriptor)
            return nil
        }
        defer { g_object_unref(socket) }
        Self.count += 1
        clientName = (isNetwork ? nil : Self.process(of: socket)) ?? "connection \(Self.count)"
        guard let connection = g_socket_connection_factory_create_connection(socket) else { return nil }
        // Of a client that is gone there is none.
        guard let address = g_socket_connection_get_remote_address(connection, nil) else {
            g_object_unref(connection)
            return nil
        }
        self.descriptor = descriptor
        self.isNetwork = isNetwork
        self.gate = gate
        isEncrypted = certificate != nil
        self.address = address
        if let certificate {
            defer { g_object_unref(connection) }
            guard let secure = g_tls_server_connection_new(cast(connection), certificate, nil) else {
                g_object_unref(address)
                return nil
            }
            // No client has a certificate: without this, each connection reads all authorities of the machine, some megabytes.
            g_tls_connection_set_database(cast(secure), nil)
            base = secure
        } else {
            base = cast(connection)
        }
    }

    /// Nil where the system does not say.
    private static func process(of socket: UnsafeMutablePointer<GSocket>) -> String? {
        guard let credentials = g_socket_get_credentials(socket, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(credentials)) }
        let process = g_credentials_get_unix_pid(credentials, nil)
        return process > 0 ? "process \(process)" : nil
    }

    private static func prepare(_ descriptor: Int32) {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        // An answer's head and body are two pieces, and the second would wait for a word about the first.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // The system's memory, too, is not for who does not read: up to 4 MB for each, otherwise.
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 131_072)
        // A client whose machine is gone says nothing of it.
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    isolated deinit {
        stopWatching()
        if let base { g_object_unref(base) }
        g_object_unref(address)
    }

    // MARK: Between the client and libsoup

    /// Hands it to libsoup, which reads requests from it.
    ///
    /// - Parameter onClose: called when it is closed, by whomever.
    func serve(by server: UnsafeMutablePointer<SoupServer>, _ onClose: @escaping @MainActor (Connection) -> Void) {
        guard let base else { return }
        self.base = nil
        self.onClose = onClose
        var calls = Self.calls
        let stream = offstage_stream_new(base, descriptor, &calls, Unmanaged.passRetained(self).toOpaque())!
        g_object_unref(base)
        served = stream
        if soup_server_accept_iostream(server, stream, address, address, nil) == 0 { cut() }
        g_object_unref(stream)
    }

    /// libsoup's; nil once it is closed.
    private var served: UnsafeMutablePointer<GIOStream>?

    private static let calls = OffstageStreamCalls(
        read: { data, base, buffer, size, error in
            onMainActor((data!, base!, buffer!, error)) {
                retained($0.0).read(
                    $0.1, UnsafeMutableRawBufferPointer(start: $0.2, count: Int(size)), $0.3)
            }
        },
        has_more: { data in onMainActor(data!) { retained($0).gate.hasMore } ? 1 : 0 },
        closed: { data in
            let isOpen = Thread.isMainThread
            let connection = retained(data!)
            fromAnyThread { connection.closed(isOpen: isOpen) }
        },
        release: { data in Unmanaged<Connection>.fromOpaque(data!).release() })

    /// The connection behind a stream's `user_data`. The stream retains it until `release`.
    private nonisolated static func retained(_ data: gpointer) -> Connection {
        Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
    }

    private func read(
        _ base: OpaquePointer, _ buffer: UnsafeMutableRawBufferPointer,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> Int {
        while true {
            if let count = gate.give(into: buffer) { return count }
            var failure: UnsafeMutablePointer<GError>?
            let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { piece in
                let count = g_pollable_input_stream_read_nonblocking(
                    base, piece.baseAddress, gsize(piece.count), nil, &failure)
                if count > 0 { gate.take(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
                return count
            }
            if count > 0 {
                move(count)
                continue
            }
            if let found = failure {
                let isEarly =
                    found.pointee.domain == g_io_error_quark()
                    && found.pointee.code == gint(G_IO_ERROR_WOULD_BLOCK.rawValue)
                guard isEarly else {
                    g_error_free(found)
                    gate.end()
                    continue
                }
                if let error { error.pointee = found } else { g_error_free(found) }
                return -1
            }
            gate.end()
        }
    }

    /// A body has to go on at some rate, a head to be there in time.
    private func move(_ count: Int) {
        if !gate.isInBody { return }
        heard += count
        if heard < Self.step { return }
        heard = 0
        lastMove = .now
    }

    private var heard = 0
    private static let step = 16_384

    // MARK: The client's end

    /// Calls once when the client goes away: libsoup, which does not read while it waits for an answer of ours, would notice
    /// only then.
    ///
    /// A client that says no more and still listens (`nc -N`) is told from one that is gone at a Unix socket; in a network both
    /// send the same, and count as gone.
    func watch(_ onLeave: @escaping @MainActor () -> Void) {
        stopWatching()
        if isClosed { return }
        self.onLeave = onLeave
        var condition = G_IO_HUP.rawValue | G_IO_ERR.rawValue
        // POLLRDHUP, which GLib has no name for: poll(2) gets it as it is.
        if isNetwork { condition |= 0x2000 }
        leaving = DescriptorWatch(descriptor, GIOCondition(rawValue: condition)) { [unowned self] in leave() }
    }

    func stopWatching() {
        leaving = nil
        onLeave = nil
    }

    private func leave() {
        let action = onLeave
        stopWatching()
        action?()
    }

    // MARK: Ours

    /// Whether it may be still for so long.
    func isLate(_ now: ContinuousClock.Instant, after patience: Duration) -> Bool {
        if let raw { return raw.isStuck(now, after: patience) }
        if exchange?.isWaiting == true { return false }
        // Each handshake has a thread of GIO's.
        let patience = isEncrypted && !gate.hasSpoken ? min(patience, Self.handshakePatience) : patience
        return lastMove + patience < now
    }

    private static let handshakePatience = Duration.seconds(10)

    /// Ends it: libsoup reads an end, or cannot write.
    func cut() {
        if isClosed { return }
        isCut = true
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Gives the descriptor back, whoever holds the stream.
    func close() {
        if let served { g_io_stream_close(served, nil, nil) }
    }

    /// - Parameter isOpen: the descriptor is still its own.
    private func closed(isOpen: Bool) {
        if isClosed { return }
        isClosed = true
        if !isOpen { isCut = true }
        served = nil
        stopWatching()
        let action = onClose
        onClose = nil
        action?(self)
    }
}
