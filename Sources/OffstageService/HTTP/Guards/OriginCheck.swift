import Foundation

/// What web pages in a browser may ask of a service on the same machine: nothing.
///
/// A page cannot hide where it comes from: a browser names its origin with all that could change something, and the name that it
/// looked the address up by in `Host`, which is how a page whose name has become this machine's address is found out.
struct OriginCheck: Sendable {
    /// In small letters, without a port.
    let names: Set<String>

    /// - Parameter name: what `--listen` says, beside this machine's usual names.
    init(_ name: String? = nil) {
        names = Set(["localhost", "127.0.0.1", "::1", "ip6-localhost"] + (name.map { [$0.lowercased()] } ?? []))
    }

    func refusal(host: String?, origin: String?, site: String?, checksHost: Bool) -> Problem? {
        if checksHost, !names.contains(Self.name(of: host ?? "")) {
            return Problem(
                421, "wrong-host", "the Host header names a host that this service is not; ask for localhost")
        }
        if let origin, origin.lowercased() != "http://\(host ?? "")".lowercased(),
            origin.lowercased() != "https://\(host ?? "")".lowercased()
        {
            return Problem(403, "foreign-origin", "web pages of other origins may ask for nothing here")
        }
        if let site, site == "cross-site" || site == "same-site" {
            return Problem(403, "foreign-origin", "web pages of other origins may ask for nothing here")
        }
        return nil
    }

    /// `::1` of `[::1]:8080`.
    private static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host.dropFirst().prefix(upTo: end)) }
        return String(host.prefix { $0 != ":" })
    }
}
