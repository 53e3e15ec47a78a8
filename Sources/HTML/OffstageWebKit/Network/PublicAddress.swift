import Foundation

/// Distinguishes public network addresses from all others: private, local and reserved ones.
package enum PublicAddress {
    /// - Parameter address: An address as `getaddrinfo` returns it.
    package static func contains(_ address: UnsafePointer<sockaddr>) -> Bool {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return contains(four: UInt32(bigEndian: raw.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let six = raw.load(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: six) { contains(six: Array($0)) }
        default:
            return false
        }
    }

    /// - Parameter address: An IPv4 address in host byte order: `0x7F000001` is 127.0.0.1.
    static func contains(four address: UInt32) -> Bool {
        !own.contains { network, bits in address >> (32 - bits) == network >> (32 - bits) }
    }

    /// - Parameter bytes: The sixteen bytes of an IPv6 address, in network byte order.
    static func contains(six bytes: [UInt8]) -> Bool {
        func four(at index: Int) -> UInt32 { bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        // ::ffff:0:0/96 is an IPv4 address in IPv6 form.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return contains(four: four(at: 12))
        }
        // Only 2000::/3 is allocated for public use. Ranges in it that embed an IPv4 address (Teredo, 6to4), or are
        // reserved for protocols or documentation, are not public.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        let start = four(at: 0)
        let isOwn =
            start >> 9 == 0x2001_0000 >> 9 || start == 0x2001_0DB8 || start >> 16 == 0x2002
            || start >> 12 == 0x3FFF_0000 >> 12
        return !isOwn
    }

    /// The networks that RFC 6890 and its registry exclude from the public network, with their prefix lengths in bits.
    private static let own: [(UInt32, UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]
}
