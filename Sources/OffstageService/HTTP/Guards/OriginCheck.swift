import Foundation

/// What web pages in a browser may ask of a service on the same machine: nothing.
///
/// A page cannot hide where it comes from: a browser names its origin with all that could change something, and the name that it
/// looked the address up by in `Host`, which is how a page whose name has become this machine's address is found out.
struct OriginCheck: Sendable {
    /// In small letters, without a port.
    private let names: Set<String>
    private let proxies: Set<String>

    /// - Parameter proxies: names that a proxy in front of the service is asked by.
    init(proxies: Set<String> = []) {
        self.proxies = Set(proxies.map { $0.lowercased() })
        names = self.proxies.union(["localhost", "127.0.0.1", "::1", "ip6-localhost"])
    }

    func refusal(host: String?, origin: String?, site: String?, checksHost: Bool) -> Problem? {
        if checksHost, !names.contains(Self.name(of: host ?? "")) {
            return Problem(
                421, "wrong-host",
                "the Host header names a host that this service is not; ask for localhost, or start the service with "
                    + "--proxy-host")
        }
        if let origin = origin?.lowercased(), !isOwn(origin, host: host?.lowercased() ?? "") {
            return Problem(403, "foreign-origin", "web pages of other origins may ask for nothing here")
        }
        if let site, site == "cross-site" || site == "same-site" {
            return Problem(403, "foreign-origin", "web pages of other origins may ask for nothing here")
        }
        return nil
    }

    /// A page of the service itself. A proxy may have put its own name in the place of the one that the page was asked by.
    private func isOwn(_ origin: String, host: String) -> Bool {
        if origin == "http://\(host)" || origin == "https://\(host)" { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return proxies.contains(Self.name(of: String(origin.dropFirst(scheme.count))))
        }
        return false
    }

    /// `::1` of `[::1]:8080`.
    private static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host.dropFirst().prefix(upTo: end)) }
        return String(host.prefix { $0 != ":" })
    }
}
