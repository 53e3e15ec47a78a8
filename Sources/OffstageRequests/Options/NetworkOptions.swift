import OffstageWebKit

/// The options that open the network for documents. Without them it is closed.
package enum NetworkOptions {
    package static let table: [OptionTable.Option] = [
        .init(
            "allow-host", value: "HOST[:PORT]", isRepeatable: true,
            help: "Load files from this host, and do not cache the pictures; repeatable"),
        .init("allow-private-addresses", help: "Allow such a host to be this machine or in a private network"),
    ].grouped(.loading)

    package static func value(_ options: ParsedOptions) throws(UsageError) -> AllowedHosts {
        var hosts: [AllowedHost] = []
        for text in options.strings("allow-host") {
            guard let host = AllowedHost(text) else {
                throw UsageError("--allow-host takes a host such as example.org or example.org:8080, not '\(text)'")
            }
            hosts.append(host)
        }
        let isPrivate = options.has("allow-private-addresses")
        if isPrivate, hosts.isEmpty { throw UsageError("--allow-private-addresses goes with --allow-host only") }
        return AllowedHosts(hosts, includesPrivateAddresses: isPrivate)
    }
}
