import CEvent
import CGLib
import COffstageSystem
import Foundation
import Offstage
import OffstageGLib
import OffstageRequests

/// A socket that clients connect to.
@MainActor
final class Listener {
    private let socket: UnsafeMutablePointer<GSocket>
    /// True if its connections come from a network, or from this machine's loopback: browsers can reach it.
    let isNetwork: Bool
    /// For people, and for the line that reports the start.
    let name: String
    /// The socket's file, which this object removes at the end.
    private let path: String?
    private var lock: FileHandle?
    private var acceptor: Acceptor?

    private init(
        _ socket: UnsafeMutablePointer<GSocket>, name: String, path: String? = nil, lock: FileHandle? = nil,
        isNetwork: Bool
    ) {
        (self.socket, self.name, self.path, self.lock, self.isNetwork) = (socket, name, path, lock, isNetwork)
    }

    isolated deinit {
        release()
        g_object_unref(socket)
    }

    // MARK: Addresses

    /// Listens at a path, for this user only. Replaces a socket on which no process is listening.
    static func atPath(_ path: String) throws(UsageError) -> Listener {
        if path.utf8.count > 107 {
            throw UsageError("--socket: \(path) is too long; a socket's path has at most 107 bytes")
        }
        // The lock prevents two services that start at once from replacing each other's socket.
        guard let lock = lock(path + ".lock"), !isAlive(path) else {
            throw UsageError("--socket: another service listens at \(path); stop it or use another path")
        }
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFSOCK else {
                throw UsageError("--socket: \(path) exists and is not a socket; use another path")
            }
            unlink(path)
        }
        let before = umask(0o177)
        defer { umask(before) }
        let socket = try listen(at: g_unix_socket_address_new(path), "--socket: cannot listen at \(path)")
        return Listener(socket, name: "unix:" + path, path: path, lock: lock, isNetwork: false)
    }

    /// Listens at a network address.
    ///
    /// - Parameter allowsAny: false for this machine's loopback only.
    static func at(_ address: ListenAddress, allowsAny: Bool) throws(UsageError) -> Listener {
        let host = address.host == "localhost" ? "127.0.0.1" : address.host
        let shown = host.contains(":") ? "[\(host)]" : host
        guard let inet = g_inet_address_new_from_string(host) else {
            throw UsageError(
                "--listen takes a numeric address such as 127.0.0.1 or [::1], or localhost, not \(host.quoted)")
        }
        defer { g_object_unref(inet) }
        if !allowsAny, g_inet_address_get_is_loopback(inet) == 0 {
            throw UsageError("--listen: other machines can reach \(shown); give clients a token with --token-file")
        }
        let socket = try listen(
            at: g_inet_socket_address_new(inet, address.port), "--listen: cannot listen at \(shown):\(address.port)")
        let port = localAddress(of: socket) { g_inet_socket_address_get_port($0) } ?? address.port
        return Listener(socket, name: "\(shown):\(port)", isNetwork: true)
    }

    /// Listens at a socket that systemd opened.
    static func inherited(_ descriptor: Int32, allowsAny: Bool) throws(UsageError) -> Listener {
        var error: UnsafeMutablePointer<GError>?
        guard let socket = g_socket_new_from_fd(descriptor, &error) else {
            throw UsageError("the socket from systemd cannot be used: \(takeMessage(error))")
        }
        let isUnix = g_socket_get_family(socket) == G_SOCKET_FAMILY_UNIX
        lazy var isLoopback = localAddress(of: socket) {
            g_inet_address_get_is_loopback(g_inet_socket_address_get_address($0)) != 0
        }
        if !isUnix, !allowsAny, isLoopback != true {
            throw UsageError("other machines can reach the socket from systemd; give clients a token with --token-file")
        }
        g_socket_set_blocking(socket, 0)
        return Listener(socket, name: isUnix ? "unix socket of systemd" : "socket of systemd", isNetwork: !isUnix)
    }

    // MARK: Accepting

    /// Accepts connections on a loop, until the listener is closed.
    func start(on loop: EventLoop, _ accept: @escaping @Sendable (Int32) -> Void) async {
        acceptor = Acceptor(g_socket_get_fd(socket), on: loop, accept)
        await acceptor?.start()
    }

    /// Rejects connections from now on.
    func close() async {
        await acceptor?.end()
        acceptor = nil
        release()
    }

    private func release() {
        if g_socket_is_closed(socket) != 0 { return }
        // Remove the file before closing the socket, so that clients find either a socket that answers or none.
        if let path { unlink(path) }
        g_socket_close(socket, nil)
        // The lock's file stays, because services that wait for the lock have it open.
        lock = nil
    }

    // MARK: Sockets

    /// - Parameters:
    ///   - address: this function frees it.
    ///   - failure: the beginning of the error's message.
    private static func listen(
        at address: UnsafeMutablePointer<GSocketAddress>, _ failure: String
    ) throws(UsageError) -> UnsafeMutablePointer<GSocket> {
        defer { g_object_unref(address) }
        var error: UnsafeMutablePointer<GError>?
        let family = g_socket_address_get_family(address)
        guard let socket = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &error) else {
            throw UsageError("\(failure): \(takeMessage(error))")
        }
        g_socket_set_blocking(socket, 0)
        g_socket_set_listen_backlog(socket, 4096)
        guard g_socket_bind(socket, address, 1, &error) != 0, g_socket_listen(socket, &error) != 0 else {
            g_object_unref(socket)
            throw UsageError("\(failure): \(takeMessage(error))")
        }
        return socket
    }

    /// - Parameter read: gets the address of a network socket.
    private static func localAddress<Value>(
        of socket: UnsafeMutablePointer<GSocket>, _ read: (UnsafeMutablePointer<GInetSocketAddress>) -> Value
    ) -> Value? {
        guard let address = g_socket_get_local_address(socket, nil) else { return nil }
        defer { g_object_unref(address) }
        return read(cast(address))
    }

    /// True if a process listens at the path.
    private static func isAlive(_ path: String) -> Bool {
        let type = G_SOCKET_TYPE_STREAM
        guard let client = g_socket_new(G_SOCKET_FAMILY_UNIX, type, G_SOCKET_PROTOCOL_DEFAULT, nil) else {
            return false
        }
        let address = g_unix_socket_address_new(path)
        defer {
            g_object_unref(address)
            g_object_unref(client)
        }
        return g_socket_connect(client, address, nil, nil) != 0
    }

    /// Takes a lock until the service ends, however it ends; nil if another service has the lock.
    private static func lock(_ path: String) -> FileHandle? {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // If the folder is not writable, making the socket reports it.
        if file < 0 { return FileHandle(fileDescriptor: -1) }
        if flock(file, LOCK_EX | LOCK_NB) != 0 {
            Foundation.close(file)
            return nil
        }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }
}
