/// The rules for loading: a snippet may load itself, data URIs and its base folder, and nothing else. Two independent
/// layers enforce them: a content security policy, and a content filter that WebKit applies to every load.
package enum ContentPolicy {
    /// The URL scheme of a snippet's base folder. The host part is different for every drawing of a process (`SceneAddress`), so that
    /// two snippets never share an origin, a cache entry or an outdated file.
    package static let scheme = "offstage"

    /// - Parameters:
    ///   - runsScripts: If true, scripts run, and may read everything that the document may load.
    ///   - hosts: Network hosts from which the document may also load.
    package static func securityPolicy(runsScripts: Bool, hosts: AllowedHosts = AllowedHosts()) -> String {
        let open = hosts.hosts.map { " " + $0.policySources }.joined()
        return """
            default-src 'none'; img-src offstage: data: blob:\(open); style-src 'unsafe-inline' offstage: data:\(open); \
            font-src offstage: data:\(open); media-src offstage: data:; frame-src offstage: data:; object-src offstage: data:; \
            form-action 'none'\
            \(runsScripts ? "; script-src 'unsafe-inline' 'unsafe-eval' offstage: data: blob:\(open); worker-src 'none'; connect-src offstage: data: blob:\(open)" : "")
            """
    }

    /// A policy that allows everything, for tests that switch this layer off (`Layer`).
    package static let none = "form-action *"

    /// The rules of WebKit's content filter. They block everything, then allow these schemes and hosts again.
    package static func filterRules(hosts: AllowedHosts = AllowedHosts()) -> String {
        let patterns = [scheme, "data", "blob", "about"].map { "^\($0):" } + hosts.hosts.map(\.filterPattern)
        let open = patterns.map {
            #"{"trigger":{"url-filter":"\#($0)"},"action":{"type":"ignore-previous-rules"}}"#
        }
        let closed = #"{"trigger":{"url-filter":".*"},"action":{"type":"block"}}"#
        return "[\(([closed] + open).joined(separator: ","))]"
    }
}
