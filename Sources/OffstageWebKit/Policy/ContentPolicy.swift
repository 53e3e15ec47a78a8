/// What a snippet may load: itself, data URIs and its base folder, and nothing else. Two layers that do not depend on
/// each other say so: a content security policy, and a content filter that WebKit applies to every load.
enum ContentPolicy {
    /// The scheme of a snippet's base folder. The host part is different for every drawing, so that no two snippets share
    /// an origin, a cache entry or a file's older state.
    static let scheme = "offstage"

    /// - Parameters:
    ///   - runsScripts: scripts run, and may read what the document may name.
    ///   - hosts: that it may load from, too.
    static func securityPolicy(runsScripts: Bool, hosts: AllowedHosts = AllowedHosts()) -> String {
        let open = hosts.hosts.map { " " + $0.policySources }.joined()
        return """
            default-src 'none'; img-src offstage: data: blob:\(open); style-src 'unsafe-inline' offstage: data:\(open); \
            font-src offstage: data:\(open); media-src offstage: data:; frame-src offstage: data:; object-src offstage: data:; \
            form-action 'none'\
            \(runsScripts ? "; script-src 'unsafe-inline' 'unsafe-eval' offstage: data: blob:\(open); worker-src 'none'; connect-src offstage: data: blob:\(open)" : "")
            """
    }

    /// Rules of WebKit's content filter: block everything, then let these schemes through again.
    static func filterRules(hosts: AllowedHosts = AllowedHosts()) -> String {
        let patterns = [scheme, "data", "blob", "about"].map { "^\($0):" } + hosts.hosts.map(\.filterPattern)
        let open = patterns.map {
            #"{"trigger":{"url-filter":"\#($0)"},"action":{"type":"ignore-previous-rules"}}"#
        }
        let closed = #"{"trigger":{"url-filter":".*"},"action":{"type":"block"}}"#
        return "[\(([closed] + open).joined(separator: ","))]"
    }
}
