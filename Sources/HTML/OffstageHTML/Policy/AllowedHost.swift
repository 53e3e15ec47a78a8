import Foundation

/// A host on the network from which documents may load. It allows exactly this name, not its subdomains.
public struct AllowedHost: Sendable, Hashable, Codable {
    /// The name in lower case; an IPv6 address in brackets.
    public let name: String
    /// Nil allows the two default ports, 80 and 443.
    public let port: Int?

    /// - Parameter text: `example.org` or `example.org:8080`. The result is nil for anything else. Write a name with letters
    ///   outside ASCII as in DNS, `xn--…`.
    public init?(_ text: String) {
        guard
            let match = text.lowercased().wholeMatch(
                of: #/([a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:(\d{1,5}))?/#)
        else { return nil }
        name = String(match.1)
        port = match.4.flatMap { Int($0) }
        if let port, !(1...65_535).contains(port) { return nil }
    }

    package func allows(_ name: String, _ port: Int) -> Bool {
        name.lowercased() == self.name && (self.port.map { $0 == port } ?? (port == 80 || port == 443))
    }

    private var authority: String { port.map { "\(name):\($0)" } ?? name }

    /// The host as sources of a content security policy.
    var policySources: String { name.hasPrefix("[") ? "http: https:" : "http://\(authority) https://\(authority)" }

    /// The host as a pattern of the content filter.
    var filterPattern: String {
        let escaped = authority.map { ".[]".contains($0) ? "\\\\\($0)" : String($0) }.joined()
        return "^https?://\(escaped)/"
    }
}

/// The hosts on the network from which documents may load. None by default.
public struct AllowedHosts: Sendable, Hashable, Codable {
    public var hosts: [AllowedHost]
    /// True: a host's name may also resolve to this machine or to a private, link-local or metadata address. Default false.
    public var includesPrivateAddresses: Bool

    public init(_ hosts: [AllowedHost] = [], includesPrivateAddresses: Bool = false) {
        self.hosts = hosts
        self.includesPrivateAddresses = includesPrivateAddresses
    }

    /// True if documents may load this URL.
    package func allow(_ url: String) -> Bool {
        guard !hosts.isEmpty, let parts = URLComponents(string: url), let name = parts.percentEncodedHost else {
            return false
        }
        switch parts.scheme?.lowercased() {
        case "http": return hosts.contains { $0.allows(name, parts.port ?? 80) }
        case "https": return hosts.contains { $0.allows(name, parts.port ?? 443) }
        default: return false
        }
    }
}
