import CGLib
import Foundation

/// The messages between systemd and the service: sd_listen_fds(3) and sd_notify(3). Their protocols are stable, and smaller than the
/// library that implements them. Without systemd, nothing happens.
package enum Activation {
    /// True if systemd passed sockets to the service.
    package static var hasSockets: Bool { count > 0 }

    /// SD_LISTEN_FDS_START.
    private static let first: Int32 = 3

    private static var count: Int32 {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())" else { return 0 }
        return environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0
    }

    /// The sockets that systemd opened. Call it once.
    static func descriptors() -> [Int32] {
        let all = (0..<max(0, count)).map { first + $0 }
        for descriptor in all { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return all
    }

    /// - Parameter state: `READY=1` or `STOPPING=1`.
    package static func notify(_ state: String) {
        let name = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] ?? ""
        let address =
            switch name.first {
            case "/": g_unix_socket_address_new(name)
            case "@": g_unix_socket_address_new_with_type(String(name.dropFirst()), -1, G_UNIX_SOCKET_ADDRESS_ABSTRACT)
            default: UnsafeMutablePointer<GSocketAddress>?.none
            }
        guard let address else { return }
        defer { g_object_unref(address) }
        let type = G_SOCKET_TYPE_DATAGRAM
        guard let socket = g_socket_new(G_SOCKET_FAMILY_UNIX, type, G_SOCKET_PROTOCOL_DEFAULT, nil) else { return }
        defer { g_object_unref(socket) }
        g_socket_send_to(socket, address, state, gsize(state.utf8.count), nil, nil)
    }
}
