import Foundation

/// The addresses of this machine's interfaces. They may be public, and a server there may give local programs content
/// that a firewall hides from others.
enum OwnAddresses {
    /// Reads the interfaces each time, because they can change.
    ///
    /// - Parameter address: an address as `getaddrinfo` returns it.
    /// - Returns: true if an interface has it, or if the interfaces cannot be read.
    static func contain(_ address: UnsafePointer<sockaddr>) -> Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        guard let wanted = bytes(of: address) else { return true }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).prefix { $0 != nil }.contains { entry in
            guard let own = entry?.pointee.ifa_addr else { return false }
            return bytes(of: own) == wanted
        }
    }

    /// Only the address, in network byte order. An IPv4 address in IPv6 form becomes an IPv4 address. Nil for other
    /// families.
    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8]? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            let all = withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            return all.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) ? Array(all[12...]) : all
        default: return nil
        }
    }
}
