import Foundation

/// A TCP socket on this machine that counts connections. The kernel accepts them, so none is missed between two
/// calls.
final class Listener {
    let port: Int
    private let descriptor: Int32

    init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0)
                precondition(getsockname(descriptor, address, &length) == 0)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        self.port = Int(port)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The number of connections since the last call.
    func connections() -> Int {
        var count = 0
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0 { return count }
            close(connection)
            count += 1
        }
    }

    /// Connects to it as a page would.
    func connect() {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(client)
    }
}
