import COffstageSystem
import Foundation
import Synchronization

/// The other end of a connection.
struct Peer: Sendable {
    let isNetwork: Bool
    /// The network address without the port, and for IPv6 the network of 64 bits; nil for a Unix socket.
    let address: String?
    /// The client's name, for fair shares among clients without tokens. At a Unix socket, all connections of a process
    /// have one name; in a network, each connection has its own.
    let clientName: String
    private static let count = Atomic(0)

    init(_ descriptor: Int32, isNetwork: Bool) {
        self.isNetwork = isNetwork
        address = isNetwork ? Self.address(of: descriptor) ?? "unknown" : nil
        let number = Self.count.add(1, ordering: .relaxed).newValue
        clientName = (isNetwork ? nil : Self.process(of: descriptor)) ?? "connection \(number)"
    }

    /// The client whose memory a request without a token uses. All connections from an address count as one client.
    var accountName: String { address.map { "address \($0)" } ?? clientName }

    private static func address(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getpeername(descriptor, address, &size) == 0 else { return nil }
                var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
                switch Int32(address.pointee.sa_family) {
                case AF_INET:
                    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        inet_ntop(AF_INET, &$0.pointee.sin_addr, &text, socklen_t(text.count)).map {
                            String(cString: $0)
                        }
                    }
                case AF_INET6:
                    return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        // A provider usually gives one customer a whole /64 network.
                        withUnsafeMutableBytes(of: &$0.pointee.sin6_addr) { bytes in
                            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                            if !isMapped { for index in 8..<16 { bytes[index] = 0 } }
                        }
                        return inet_ntop(AF_INET6, &$0.pointee.sin6_addr, &text, socklen_t(text.count))
                            .map { String(cString: $0) }
                    }
                default: return nil
                }
            }
        }
    }

    /// Nil if the system does not know the process.
    private static func process(of descriptor: Int32) -> String? {
        let process = offstage_peer_process(descriptor)
        guard process > 0 else { return nil }
        // The kernel reuses numbers. Together with the start time, a number identifies one process.
        let fields = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: ")").last?
            .split(separator: " ")
        guard let fields, fields.count > 19 else { return "process \(process)" }
        return "process \(process) since \(fields[19])"
    }
}
