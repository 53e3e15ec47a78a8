import Foundation
import Testing

/// Ports on the loopback interface, TCP over IPv4 and IPv6 as well as UDP, that report whether anyone connected.
final class Doors {
    let tcp: UInt16
    let udp: UInt16
    private let sockets: [Int32]

    init() throws {
        let four = try Self.open(AF_INET, SOCK_STREAM, port: 0)
        tcp = four.port
        let datagrams = try Self.open(AF_INET, SOCK_DGRAM, port: 0)
        udp = datagrams.port
        // A machine without IPv6 cannot be reached over it.
        let six = try? Self.open(AF_INET6, SOCK_STREAM, port: tcp)
        sockets = [four.socket, datagrams.socket] + (six.map { [$0.socket] } ?? [])
    }

    deinit { for socket in sockets { close(socket) } }

    /// The number of connections since the last call. A connection waits here even if its client has closed it.
    func visitors() -> Int {
        let (connections, datagrams) = take()
        for connection in connections { close(connection) }
        return connections.count + datagrams
    }

    /// Accepts the connections since the last call, which the caller must close, and counts the datagrams.
    func take() -> (connections: [Int32], datagrams: Int) {
        var (connections, datagrams): ([Int32], Int) = ([], 0)
        for socket in sockets {
            var byte: UInt8 = 0
            while case let visitor = accept(socket, nil, nil), visitor >= 0 { connections.append(visitor) }
            while recv(socket, &byte, 1, 0) >= 0 { datagrams += 1 }
        }
        return (connections, datagrams)
    }

    private static func open(_ family: Int32, _ type: __socket_type, port: UInt16) throws -> (
        socket: Int32, port: UInt16
    ) {
        let file = socket(
            family, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard file >= 0 else { throw Child.Failure(description: "no socket") }
        var code: Int32
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        var address = sockaddr_in6()
        if family == AF_INET6 {
            address = sockaddr_in6(
                sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0,
                sin6_addr: in6addr_loopback,
                sin6_scope_id: 0)
        } else {
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let four = sockaddr_in(
                sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
                sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
            withUnsafeBytes(of: four) { from in withUnsafeMutableBytes(of: &address) { $0.copyMemory(from: from) } }
        }
        code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(file, place, length) == 0 ? getsockname(file, place, &length) : -1
            }
        }
        if code == 0, type == SOCK_STREAM { code = listen(file, 64) }
        guard code == 0 else {
            close(file)
            throw Child.Failure(description: "no port: \(String(cString: strerror(errno)))")
        }
        return (file, UInt16(bigEndian: address.sin6_port))
    }
}

/// Files that no process may touch. The kernel reports every process that opens or reads one.
final class Untouched {
    private let watch: Int32

    init(_ paths: [String]) throws {
        watch = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        for path in paths {
            guard inotify_add_watch(watch, path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
                throw Child.Failure(description: "\(path) cannot be watched")
            }
        }
    }

    deinit { close(watch) }

    var isTouched: Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(watch, &buffer, buffer.count) > 0
    }
}
