import COffstageStream
import CSoup
import Foundation
import OffstageGLib

/// A client's connection, from its first byte on.
@MainActor
final class Connection {
    let descriptor: Int32
    let isNetwork: Bool
    /// Checks the client's bytes.
    private(set) var gate: RequestGate
    /// The connection's identity: libsoup's messages have this pointer, too.
    let address: UnsafeMutablePointer<GSocketAddress>
    /// The client's name, for the turns of clients without tokens: the process at a Unix socket, for all its connections; in a
    /// network, the connection.
    let clientName: String
    private static var count = 0
    /// The socket's stream, or the one of TLS. Nil after `serve`.
    private var base: UnsafeMutablePointer<GIOStream>?
    private let isEncrypted: Bool
    private var onClose: (@MainActor (Connection) -> Void)?
    /// The time of the last progress in either direction.
    var lastMove = ContinuousClock.now
    /// The exchange in progress.
    weak var exchange: Exchange?
    /// The batch that has taken the connection over.
    private weak var raw: RawConnection?
    private var leaving: DescriptorWatch?
    private var isClosed = false
    private(set) var isCut = false

    /// - Parameters:
    ///   - descriptor: becomes the property of this object.
    ///   - certificate: makes it a connection with TLS.
    /// - Returns: nil if the socket is broken.
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
        // A client that is gone has no address.
        guard let address = g_socket_connection_get_remote_address(connection, nil) else {
            g_object_unref(connection)
            return nil
        }
        (self.descriptor, self.isNetwork, self.gate, self.address) = (descriptor, isNetwork, gate, address)
        isEncrypted = certificate != nil
        if let certificate {
            defer { g_object_unref(connection) }
            guard let secure = offstage_tls_server_new(cast(connection), certificate) else {
                g_object_unref(address)
                return nil
            }
            base = secure
        } else {
            base = cast(connection)
        }
    }

    /// Nil if the system does not know the process.
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
        // An answer's head and body are two writes; the second would wait for the acknowledgement of the first.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Otherwise the system buffers up to 4 MB for each client that does not read.
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 131_072)
        // Detects clients whose machine is gone.
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    isolated deinit {
        stopWatching()
        if let base { g_object_unref(base) }
        g_object_unref(address)
    }

    // MARK: Between the client and libsoup

    /// Gives the connection to libsoup, which reads requests from it.
    ///
    /// - Parameter onClose: called once when either side has closed it.
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

    /// The stream that libsoup owns; nil once it is closed.
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

    /// Only every 16 KiB of a body count as progress, and nothing of a head: a client cannot keep a connection with single bytes.
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

    /// Calls once when the client leaves. libsoup does not read while it waits for an answer, so it would notice this only later.
    ///
    /// A client may close its half and still listen (`nc -N`). At a Unix socket, this differs from leaving; in a network it does
    /// not, and such a client counts as gone.
    func watch(_ onLeave: @escaping @MainActor () -> Void) {
        stopWatching()
        if isClosed { return }
        var condition = G_IO_HUP.rawValue | G_IO_ERR.rawValue
        // POLLRDHUP: GLib has no name for it, but passes it on to poll(2).
        if isNetwork { condition |= 0x2000 }
        leaving = DescriptorWatch(descriptor, GIOCondition(rawValue: condition)) { [unowned self] in
            stopWatching()
            onLeave()
        }
    }

    func stopWatching() { leaving = nil }

    // MARK: Limits

    /// From now on, a batch uses the connection, and the gate gives it the body of its request.
    func takeOver(by raw: RawConnection) {
        self.raw = raw
        gate.takeOver()
    }

    /// True if the client has been still for too long.
    func isLate(_ now: ContinuousClock.Instant, after patience: Duration) -> Bool {
        if let raw { return raw.isStuck(now, after: patience) }
        if exchange?.isWaiting == true { return false }
        // Each handshake occupies a thread of GIO.
        let patience = isEncrypted && !gate.hasSpoken ? min(patience, Self.handshakePatience) : patience
        return lastMove + patience < now
    }

    private static let handshakePatience = Duration.seconds(10)

    /// Ends the connection: libsoup reads an end, or cannot write.
    func cut() {
        if isClosed { return }
        isCut = true
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the descriptor, even if somebody still has the stream.
    func close() {
        if let served { g_io_stream_close(served, nil, nil) }
    }

    /// - Parameter isOpen: true if the descriptor still belongs to this connection.
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
