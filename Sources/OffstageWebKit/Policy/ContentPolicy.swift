/// What a snippet may load: itself, data URIs and its base folder, and nothing else. Two layers that do not depend on
/// each other say so: a content security policy, and a content filter that WebKit applies to every load.
enum ContentPolicy {
    /// The scheme of a snippet's base folder. The host part is different for every drawing, so that no two snippets share
    /// an origin, a cache entry or a file's older state.
    static let scheme = "offstage"

    /// - Parameter runsScripts: scripts run, and may read what the document may name.
    static func securityPolicy(runsScripts: Bool) -> String {
        """
        default-src 'none'; img-src offstage: data: blob:; style-src 'unsafe-inline' offstage: data:; \
        font-src offstage: data:; media-src offstage: data:; frame-src offstage: data:; object-src offstage: data:; \
        form-action 'none'\
        \(runsScripts ? "; script-src 'unsafe-inline' 'unsafe-eval' offstage: data: blob:; worker-src 'none'; connect-src offstage: data: blob:" : "")
        """
    }

    /// Rules of WebKit's content filter: block everything, then let these schemes through again.
    static let filterRules: String = {
        let open = [scheme, "data", "blob", "about"].map {
            #"{"trigger":{"url-filter":"^\#($0):"},"action":{"type":"ignore-previous-rules"}}"#
        }
        let closed = #"{"trigger":{"url-filter":".*"},"action":{"type":"block"}}"#
        return "[\(([closed] + open).joined(separator: ","))]"
    }()
}
