import COffstageSystem
import CSoup
import Foundation
import OffstageWebKit

/// One client's connection, from when it first says something.
@MainActor
final class Connection {
    let descriptor: Int32
    let isNetwork: Bool
    /// libsoup's from `serve` on; it is closed when libsoup lets go of it.
    private var stream: UnsafeMutablePointer<GIOStream>?
    private let isEncrypted: Bool
    /// libsoup has it, too: by it, its messages tell whose they are.
    let address: UnsafeMutablePointer<GSocketAddress>
    /// Who is at the other end, for the turns of clients without tokens: the process at a Unix socket, however many connections it
    /// has; in a network the connection.
    let clientName: String
    private static var count = 0
    private var onClose: (@MainActor () -> Void)?
    /// When something last came or went.
    var lastMove = ContinuousClock.now
    /// What it waits for; nil for nothing.
    weak var exchange: Exchange?
    private var watch: guint = 0
    private var onLeave: (@MainActor () -> Void)?

    /// - Parameters:
    ///   - descriptor: taken over.
    ///   - certificate: of a connection by TLS.
    /// - Returns: nil for a socket that is broken already.
    init?(_ descriptor: Int32, isNetwork: Bool, certificate: UnsafeMutablePointer<GTlsCertificate>?) {
        // An answer's head and body are two pieces, and the second would wait for a word about the first.
        if isNetwork {
            var isOn: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
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
            stream = secure
        } else {
            stream = cast(connection)
        }
    }

    /// Nil where the system does not say.
    private static func process(of socket: UnsafeMutablePointer<GSocket>) -> String? {
        guard let credentials = g_socket_get_credentials(socket, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(credentials)) }
        let process = g_credentials_get_unix_pid(credentials, nil)
        return process > 0 ? "process \(process)" : nil
    }

    isolated deinit {
        stopWatching()
        if let stream { g_object_unref(stream) }
        g_object_unref(address)
    }

    /// Hands it to libsoup, which reads requests from it.
    ///
    /// - Parameter onClose: called when it is closed, by whomever.
    func serve(by server: UnsafeMutablePointer<SoupServer>, _ onClose: @escaping @MainActor () -> Void) {
        guard let stream else { return }
        self.onClose = onClose
        // This lives until then: `Connections` has it.
        g_object_weak_ref(cast(stream), Self.whenGone, unretained(self))
        self.stream = nil
        served = stream
        if soup_server_accept_iostream(server, stream, address, address, nil) == 0 { cut() }
        g_object_unref(stream)
    }

    private static let whenGone: GWeakNotify = { data, _ in
        onMainActor(data!) { (object($0) as Connection).closed() }
    }

    /// libsoup's; nil once it is gone.
    private var served: UnsafeMutablePointer<GIOStream>?

    private func closed() {
        isClosed = true
        served = nil
        stopWatching()
        let action = onClose
        onClose = nil
        action?()
    }

    private var isClosed = false

    /// Calls once when the client goes away: libsoup, which does not read while it waits for an answer of ours, would notice
    /// only then.
    ///
    /// A client that says no more and still listens (`nc -N`) is told from one that is gone at a Unix socket; in a network both
    /// send the same, and count as gone.
    ///
    /// - Parameter heedsHalf: it counts as gone at a Unix socket too.
    func watch(heedsHalf: Bool = false, _ onLeave: @escaping @MainActor () -> Void) {
        stopWatching()
        self.onLeave = onLeave
        var condition = G_IO_HUP.rawValue | G_IO_ERR.rawValue
        // POLLRDHUP, which GLib has no name for: poll(2) gets it as it is.
        if isNetwork || heedsHalf { condition |= 0x2000 }
        watch = g_unix_fd_add(
            descriptor, GIOCondition(rawValue: condition),
            { _, _, data in
                onMainActor(data!) { (object($0) as Connection).leave() }
                return 0
            }, unretained(self))
    }

    func stopWatching() {
        if watch != 0 { g_source_remove(watch) }
        watch = 0
        onLeave = nil
    }

    private func leave() {
        watch = 0
        let action = onLeave
        onLeave = nil
        action?()
    }

    /// Ends it: libsoup reads an end, or cannot write.
    func cut() {
        if isClosed { return }
        isCut = true
        if exchange == nil, endBetweenRequests() { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// libsoup 3.2 keeps a connection for ever, its descriptor too, when that ends between two requests: only an end within a
    /// request ends it. So it reads one there. An encrypted connection knows better than to believe it.
    private func endBetweenRequests() -> Bool {
        !isEncrypted && served != nil && offstage_replace_by_end(descriptor, "-") == 0
    }

    private(set) var isCut = false

    /// Between requests: libsoup reads the end of the client's connection and does not close ours.
    func watchForEnd() {
        watch(heedsHalf: true) { [weak self] in
            guard let self, !isClosed else { return }
            var byte: UInt8 = 0
            // A last request may stand before the end.
            if recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0, !endBetweenRequests() { close() }
        }
    }

    /// Gives the descriptor back, whoever holds the stream.
    func close() {
        stopWatching()
        if isClosed { return }
        let stream = served
        let action = onClose
        isClosed = true
        onClose = nil
        if let stream {
            g_object_weak_unref(cast(stream), Self.whenGone, unretained(self))
            g_io_stream_close(stream, nil, nil)
        }
        served = nil
        action?()
    }
}
