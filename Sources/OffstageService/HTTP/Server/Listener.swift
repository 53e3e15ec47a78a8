import COffstageSystem
import CSoup
import Foundation
import Offstage
import OffstageGLib
import OffstageRequests

/// A socket that clients connect to.
@MainActor
final class Listener {
    let socket: UnsafeMutablePointer<GSocket>
    /// Its connections come from a network, or this machine's loopback: browsers can reach it.
    let isNetwork: Bool
    /// For people, and for the line that says that the service is there.
    let name: String
    /// Ours to remove at the end.
    private let path: String?
    private var lock: FileHandle?
    private var watch: DescriptorWatch?

    private init(_ socket: UnsafeMutablePointer<GSocket>, name: String, path: String? = nil, isNetwork: Bool) {
        (self.socket, self.name, self.path, self.isNetwork) = (socket, name, path, isNetwork)
    }

    isolated deinit {
        close()
        g_object_unref(socket)
    }

    /// At a path, for this user alone. A socket that nobody listens to any more is replaced.
    static func atPath(_ path: String) throws(UsageError) -> Listener {
        if path.utf8.count > 107 {
            throw UsageError("--socket: \(path) is longer than the 107 bytes of a socket's path")
        }
        // Two that start at once do not replace each other's.
        guard let lock = lock(path + ".lock") else {
            throw UsageError("--socket: \(path) is another service's; end that one or use another path")
        }
        if isAlive(path) {
            throw UsageError("--socket: \(path) is another service's; end that one or use another path")
        }
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFSOCK else {
                throw UsageError("--socket: \(path) is there and is no socket; use another path")
            }
            unlink(path)
        }
        let before = umask(0o177)
        defer { umask(before) }
        let socket: UnsafeMutablePointer<GSocket>
        do { socket = try listen(g_unix_socket_address_new(path), isUnix: true) } catch {
            throw UsageError("--socket: cannot listen at \(path): \(error.description)")
        }
        let listener = Listener(socket, name: "unix:" + path, path: path, isNetwork: false)
        listener.lock = lock
        return listener
    }

    /// At an address of a network.
    ///
    /// - Parameter allowsAny: false for this machine's loopback only.
    static func at(_ address: ListenAddress, allowsAny: Bool) throws(UsageError) -> Listener {
        let host = address.host == "localhost" ? "127.0.0.1" : address.host
        let shown = host.contains(":") ? "[\(host)]" : host
        guard let inet = g_inet_address_new_from_string(host) else {
            throw UsageError(
                "--listen takes a number's address such as 127.0.0.1 or [::1], or localhost, not \(host.quoted)")
        }
        defer { g_object_unref(inet) }
        if !allowsAny, g_inet_address_get_is_loopback(inet) == 0 {
            throw UsageError(
                "--listen: \(shown) can be reached from other machines; give clients a token by --token-file")
        }
        do {
            let socket = try listen(g_inet_socket_address_new(inet, address.port), isUnix: false)
            let port = (try? Self.port(of: socket)) ?? address.port
            return Listener(socket, name: "\(shown):\(port)", isNetwork: true)
        } catch { throw UsageError("--listen: cannot listen at \(shown):\(address.port): \(error.description)") }
    }

    /// One that systemd has opened.
    static func inherited(_ descriptor: Int32, allowsAny: Bool) throws(UsageError) -> Listener {
        var error: UnsafeMutablePointer<GError>?
        guard let socket = g_socket_new_from_fd(descriptor, &error) else {
            throw UsageError("the socket that systemd gave cannot be used: \(takeMessage(error))")
        }
        let isUnix = g_socket_get_family(socket) == G_SOCKET_FAMILY_UNIX
        if !isUnix, !allowsAny, !isLoopback(socket) {
            throw UsageError(
                "the socket that systemd gave can be reached from other machines; give clients a token by --token-file")
        }
        g_socket_set_blocking(socket, 0)
        return Listener(socket, name: isUnix ? "unix socket of systemd" : "socket of systemd", isNetwork: !isUnix)
    }

    /// Calls for each connection, with its descriptor, until it is closed.
    func start(_ accept: @escaping @MainActor (Int32) -> Void) {
        watch = DescriptorWatch(g_socket_get_fd(socket)) { [unowned self] in takeAll(accept) }
    }

    private func takeAll(_ accept: @escaping @MainActor (Int32) -> Void) {
        // At most 64 in one turn of the loop, so that open connections are served, too.
        for _ in 0..<64 {
            let client = offstage_accept(g_socket_get_fd(socket))
            if client >= 0 {
                accept(client)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                return rest(accept)
            } else if errno != ECONNABORTED && errno != EINTR {
                return
            }
        }
    }

    /// Stops accepting for a while: the waiting client keeps the socket ready, and the loop would do nothing else.
    private func rest(_ accept: @escaping @MainActor (Int32) -> Void) {
        watch = nil
        timer = LoopTimer(seconds: Self.restingTime) { [unowned self] in start(accept) }
    }

    private var timer: LoopTimer?
    /// Seconds.
    private static let restingTime = 0.1

    /// Nobody can connect any more.
    func close() {
        watch = nil
        timer = nil
        if g_socket_is_closed(socket) != 0 { return }
        // Before the socket is closed: a client finds one that answers, or none.
        if let path { unlink(path) }
        g_socket_close(socket, nil)
        // Its file stays: who waits for it has it open.
        lock = nil
    }

    /// Gives libsoup a socket that nobody can connect to: where it listens at none, it closes each connection after one answer.
    static func keepOpen(_ server: UnsafeMutablePointer<SoupServer>) throws(UsageError) {
        var template = Array((NSTemporaryDirectory() + "offstage-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw UsageError(
                "there is no room for a socket in \(NSTemporaryDirectory()); set TMPDIR to a folder that can be written to"
            )
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { rmdir(folder) }
        do {
            let socket = try listen(g_unix_socket_address_new(folder + "/s"), isUnix: true)
            unlink(folder + "/s")
            soup_server_listen_socket(server, socket, SoupServerListenOptions(rawValue: 0), nil)
            g_object_unref(socket)
        } catch { throw UsageError("cannot make a socket in \(folder): \(error.description)") }
    }

    private struct Failure: Error { var description: String }

    private static func listen(
        _ address: UnsafeMutablePointer<GSocketAddress>?, isUnix: Bool
    ) throws(Failure) -> UnsafeMutablePointer<GSocket> {
        defer { g_object_unref(address) }
        var error: UnsafeMutablePointer<GError>?
        let family = g_socket_address_get_family(address)
        guard let socket = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &error) else {
            throw Failure(description: takeMessage(error))
        }
        g_socket_set_blocking(socket, 0)
        g_socket_set_listen_backlog(socket, 4096)
        guard g_socket_bind(socket, address, 1, &error) != 0, g_socket_listen(socket, &error) != 0 else {
            g_object_unref(socket)
            throw Failure(description: takeMessage(error))
        }
        return socket
    }

    private static func port(of socket: UnsafeMutablePointer<GSocket>) throws(Failure) -> UInt16 {
        guard let address = g_socket_get_local_address(socket, nil) else { throw Failure(description: "") }
        defer { g_object_unref(address) }
        return g_inet_socket_address_get_port(cast(address))
    }

    private static func isLoopback(_ socket: UnsafeMutablePointer<GSocket>) -> Bool {
        guard let address = g_socket_get_local_address(socket, nil) else { return false }
        defer { g_object_unref(address) }
        return g_inet_address_get_is_loopback(g_inet_socket_address_get_address(cast(address))) != 0
    }

    /// Whether somebody listens there.
    private static func isAlive(_ path: String) -> Bool {
        guard let address = g_unix_socket_address_new(path),
            let socket = g_socket_new(G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, nil)
        else { return false }
        defer {
            g_object_unref(address)
            g_object_unref(socket)
        }
        return g_socket_connect(socket, address, nil, nil) != 0
    }

    /// Held until the end of the service, however that comes; nil where another one holds it.
    private static func lock(_ path: String) -> FileHandle? {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // A folder that cannot be written to shows when the socket is made.
        if file < 0 { return FileHandle(fileDescriptor: -1) }
        if flock(file, LOCK_EX | LOCK_NB) != 0 {
            Foundation.close(file)
            return nil
        }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }
}
