import Foundation
import OffstageRequests
import OffstageService

/// The options for the addresses and permissions of `offstage serve`.
enum ServeOptions {
    static let table: [OptionTable.Option] = [
        .init(
            "socket", value: "FILE",
            help: "Listen at this Unix socket (default: offstage/http.sock in XDG_RUNTIME_DIR)"),
        .init(
            "listen", value: "HOST:PORT", isRepeatable: true,
            help: "Listen at this address; other machines need --token-file; repeatable"),
        .init(
            "token-file", value: "FILE",
            help: "Serve only clients with a token in FILE; one client per line: TOKEN [NAME] [priority=P] [share=N] "
                + "[rights=LIST] [prefix=TEXT]"),
        .init("tls-cert", value: "FILE", help: "Use TLS for network connections, with this certificate (PEM)"),
        .init("tls-key", value: "FILE", help: "Use this key with --tls-cert (PEM)"),
        .init(
            "proxy-host", value: "HOST", isRepeatable: true,
            help: "Accept the name of a proxy in front of the service in Host and Origin; repeatable"),
        .init("files", value: "FOLDER", help: "Let requests name files below FOLDER (default: none)"),
        .init("allow-javascript", help: "Let requests turn page scripts on"),
        .init("max-body", value: "BYTES", help: "Reject larger request bodies (default 16 MiB)"),
        .init(
            "max-waiting", value: "N",
            help: "Let N drawings wait; beyond that, the least urgent get 429 (default 1000)"),
        .init("max-connections", value: "N", help: "Accept N connections at once (default 4096)"),
        .init(
            "memory", value: "BYTES",
            help: "Size of the memory cache (default: a tenth of the machine's memory, at most 512 MiB)"),
        .init(
            "cache-limit", value: "BYTES",
            help: "Size of the cache on disk, including pictures that were PUT (default 2 GiB)"),
        .init("idle-timeout", value: "SECONDS", help: "Close connections that are idle for this long (default 60)"),
        .init(
            "stop-timeout", value: "SECONDS",
            help: "Wait this long at the end for requests under way (default 10)"),
        .init("warm", help: "Start all views at once; until one has drawn something, /readyz is 503"),
        .init("drain", value: "SECONDS", help: "At SIGTERM, serve this long while /readyz is 503 (default 0)"),
        .init(
            "access-log", value: "text|json",
            help: "Log each request on standard error, one line each (default text)"),
        .init("no-access-log", help: "Do not log each request on standard error"),
    ].grouped(.service)

    static func configuration(_ options: ParsedOptions) throws(UsageError) -> ServeConfiguration {
        var configuration = ServeConfiguration()
        configuration.version = CommandLineTool.version
        for text in options.strings("listen") { configuration.addresses.append(try ListenAddress(text)) }
        if let path = options.string("socket") {
            if path.isEmpty { throw UsageError("--socket needs the name of a file") }
            configuration.sockets = [absolutePath(path)]
        } else if configuration.addresses.isEmpty, !Activation.hasSockets {
            configuration.sockets = [try defaultSocket()]
        }
        configuration.tokenFile = options.string("token-file")
        configuration.proxyHosts = try proxyHosts(options)
        switch (options.string("tls-cert"), options.string("tls-key")) {
        case (let certificate?, let key?): configuration.tls = (certificate, key)
        case (nil, nil): break
        default: throw UsageError("--tls-cert and --tls-key go together; give both")
        }
        if let folder = options.string("files") { configuration.policy.folder = try realFolder(folder) }
        configuration.policy.allowsScripts = options.has("allow-javascript") || options.has("javascript")
        let any = 1...(1 << 40)
        configuration.bodyLimit = try options.integer("max-body", in: any) ?? configuration.bodyLimit
        configuration.connectionLimit =
            try options.integer("max-connections", in: 1...100_000) ?? configuration.connectionLimit
        configuration.idleTimeout = try options.positive("idle-timeout", upTo: 86_400) ?? configuration.idleTimeout
        configuration.stopTimeout = try options.positive("stop-timeout", upTo: 86_400) ?? configuration.stopTimeout
        configuration.drainTime = try options.number("drain", in: 0...86_400) ?? 0
        configuration.memoryLimit = try options.integer("memory", in: 0...(1 << 50)) ?? configuration.memoryLimit
        configuration.accessLog = try accessLog(options)
        configuration.defaults = defaults(options)
        return configuration
    }

    private static func accessLog(_ options: ParsedOptions) throws(UsageError) -> AccessLog.Format? {
        guard let text = options.string("access-log") else { return options.has("no-access-log") ? nil : .text }
        if options.has("no-access-log") {
            throw UsageError("--access-log and --no-access-log contradict each other; use one")
        }
        if let format = AccessLog.Format(rawValue: text) { return format }
        throw UsageError("--access-log takes text or json, not '\(text)'")
    }

    private static func proxyHosts(_ options: ParsedOptions) throws(UsageError) -> Set<String> {
        for host in options.strings("proxy-host") {
            guard host.wholeMatch(of: /[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:]+/) != nil else {
                throw UsageError(
                    "--proxy-host takes the name of a host without a port, such as pictures.example.org, not '\(host)'")
            }
        }
        return Set(options.strings("proxy-host"))
    }

    /// The maximum number of waiting drawings.
    static func waiting(_ options: ParsedOptions) throws(UsageError) -> Int {
        try options.integer("max-waiting", in: 0...1_000_000) ?? 1000
    }

    /// The options of a picture, which a request can override, and those of the workers that describe documents, which it cannot.
    private static func defaults(_ options: ParsedOptions) -> ParsedOptions {
        let names = Set(
            (RowSettings.table + SourceRegistry.limits).map(\.name)
                + ["sandbox", "no-sandbox", EngineOptions.freshWorkers])
        return ParsedOptions(values: options.values.filter { names.contains($0.key) })
    }

    private static func defaultSocket() throws(UsageError) -> String {
        guard let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
            throw UsageError(
                "XDG_RUNTIME_DIR is not set; say where to listen: --socket FILE or --listen HOST:PORT")
        }
        // Only the user can open it, like the folder around it.
        mkdir(folder + "/offstage", 0o700)
        return folder + "/offstage/http.sock"
    }

    private static func realFolder(_ path: String) throws(UsageError) -> String {
        var info = stat()
        guard !path.isEmpty, let real = realpath(path, nil) else {
            throw UsageError("--files \(path) is not a folder; name one")
        }
        defer { free(real) }
        let folder = String(cString: real)
        guard stat(folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw UsageError("--files \(path) is not a folder; name one")
        }
        return folder
    }
}
