import Foundation

/// Rejects all requests from web pages to a service on the same machine.
///
/// A page cannot hide its origin: a browser sends it with every request that could change something. The browser also
/// sends the host name that it looked up as `Host`, which reveals a page whose name resolves to this machine's address.
struct OriginCheck: Sendable {
    /// In lower case, without ports.
    private let names: Set<String>
    private let proxies: Set<String>

    /// - Parameter proxies: the names of a proxy in front of the service.
    init(proxies: Set<String> = []) {
        self.proxies = Set(proxies.map { $0.lowercased() })
        names = self.proxies.union(["localhost", "127.0.0.1", "::1", "ip6-localhost"])
    }

    func refusal(host: String?, origin: String?, site: String?, checksHost: Bool) -> Problem? {
        if checksHost, !names.contains(Self.name(of: host ?? "")) {
            return Problem(
                421, "wrong-host",
                "the Host header names another host; use localhost, or start the service with --proxy-host")
        }
        let isForeign = origin.map { !isOwn($0.lowercased(), host: host?.lowercased() ?? "") } ?? false
        // A browser sends one of four values; a program sends none.
        if isForeign || !["none", "same-origin", nil].contains(site?.lowercased()) {
            return Problem(403, "foreign-origin", "web pages of other origins cannot use this service")
        }
        return nil
    }

    /// True for a page of the service itself. A proxy may have replaced the name in `Host` with its own.
    private func isOwn(_ origin: String, host: String) -> Bool {
        if origin == "http://\(host)" || origin == "https://\(host)" { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return proxies.contains(Self.name(of: String(origin.dropFirst(scheme.count))))
        }
        return false
    }

    /// `::1` for `[::1]:8080`.
    private static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host.dropFirst().prefix(upTo: end)) }
        return String(host.prefix { $0 != ":" })
    }
}
