import Foundation
import Offstage
import OffstageHTML

/// Suggests the hosts to allow for blocked resources.
enum AllowHostHint {
    /// The number of hosts to name; further hosts are only counted.
    private static let named = 3

    /// `--allow-host a.example --allow-host b.example loads it`; nil if nothing from a network host was blocked.
    static func text(for warnings: [DrawingWarning]) -> String? {
        var hosts: [String] = []
        for warning in warnings where warning.code == .resourceBlocked {
            guard let host = host(of: warning.subject), !hosts.contains(host) else { continue }
            hosts.append(host)
        }
        if hosts.isEmpty { return nil }
        if hosts.count > named { return "--allow-host HOST loads them, one for each of \(hosts.count) hosts" }
        return hosts.map { "--allow-host \($0)" }.joined(separator: " ")
            + " loads \(warnings.count == 1 ? "it" : "them")"
    }

    /// Returns only hosts that the option accepts: a document's text is untrusted, and a user may copy the line into a
    /// shell.
    private static func host(of url: String) -> String? {
        guard let match = url.prefixMatch(of: /https?:\/\/(?:[^\/?#@]*@)?([^\/?#@]+)/.ignoresCase()) else { return nil }
        let text = String(match.1)
        return AllowedHost(text) == nil ? nil : text.lowercased()
    }
}
