import COffstageSystem
import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `offstage work`: renders requests that other machines have submitted to a shared database.
struct WorkCommand: Command {
    static let name = "work"
    static let summary = "Render for other machines, from a shared queue"

    static let options = OptionTable(
        operands: "",
        summary: """
            Takes requests from the queue in a PostgreSQL database and puts the pictures there, until SIGTERM or Ctrl-C.
            `offstage render --via URL` and `offstage serve --shared URL` of other machines submit them. `offstage shared
            init URL` creates the tables. The limits given here apply to the requests. With --socket or --listen, it
            answers GET /metrics, /healthz and /readyz.
            """,
        examples: [
            .init("Two drawings at once", "offstage work --shared postgresql://db.example.org/offstage -j 2"),
            .init(
                "Only PDF pages and images, with metrics at a port of this machine",
                "offstage work --shared service=offstage --only pdf,image --listen 127.0.0.1:8809"),
        ],
        common: [
            "shared", "only", "jobs", "allow-javascript", "socket", "listen", "token-file", "stop-timeout", "cache",
            "max-memory",
        ],
        options: [
            SharedOptions.shared,
            .init(
                "only", value: "SOURCE[,SOURCE]",
                help: "Take only requests of these sources: \(SourceRegistry.all.map(\.name).formatted("or"))"),
            .init("allow-javascript", help: "Let requests turn page scripts on"),
            .init("socket", value: "FILE", help: "Answer requests for metrics and the state at this Unix socket"),
            .init(
                "listen", value: "HOST:PORT", isRepeatable: true,
                help: "Answer these requests at this address; other machines need --token-file; repeatable"),
            .init("token-file", value: "FILE", help: "Give metrics only to clients with a token in FILE"),
            .init(
                "stop-timeout", value: "SECONDS",
                help: "Wait this long at the end, then leave requests under way to other machines (default: no limit)"),
        ].grouped(.service)
            + EngineOptions.table.filter { !["allow-host", "allow-private-addresses"].contains($0.name) }
            + [CacheOptions.folder] + SourceRegistry.limits.filter { $0.name != "ink" })

    private let address: SharedAddress
    private let engines: EngineOptions
    private let cache: CacheOptions
    private let allowsScripts: Bool
    private let limits: ParsedOptions
    /// The names of the sources that it draws; nil for all.
    private let sources: [String]?
    /// The server for metrics; nil for none.
    private let http: ServeConfiguration?
    /// Seconds; nil for no limit.
    private let stopTimeout: Double?

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first {
            throw UsageError("work takes no files, and '\(operand)' was given; other machines send the documents")
        }
        let options = EngineOptions.forClients(options)
        cache = try CacheOptions(options, isQuiet: false)
        engines = try EngineOptions(options)
        try OptionUse(options).check()
        _ = try Settings(OptionUse(options).options(for: SourceRegistry.first))
        allowsScripts = options.has("allow-javascript")
        limits = options
        sources = try Self.sources(options)
        http = try Self.http(options)
        stopTimeout = try options.positive("stop-timeout", upTo: 86_400)
        guard let address = try SharedOptions.address(options, "shared") else {
            throw UsageError("work needs the database with the queue: offstage work --shared URL")
        }
        self.address = address
    }

    private static func sources(_ options: ParsedOptions) throws(UsageError) -> [String]? {
        guard let text = options.string("only") else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = SourceRegistry.all.map(\.name)
        if let wrong = names.first(where: { !known.contains($0) }) {
            throw UsageError(
                "--only takes sources such as pdf,image, not '\(wrong)'; there are \(known.formatted("and"))")
        }
        return Set(names).sorted()
    }

    private static func http(_ options: ParsedOptions) throws(UsageError) -> ServeConfiguration? {
        var configuration = ServeConfiguration()
        configuration.version = CommandLineTool.version
        configuration.servesPictures = false
        configuration.accessLog = nil
        configuration.memoryLimit = 0
        if let path = options.string("socket") {
            if path.isEmpty { throw UsageError("--socket needs the name of a file") }
            configuration.sockets = [absolutePath(path)]
        }
        for text in options.strings("listen") { configuration.addresses.append(try ListenAddress(text)) }
        configuration.tokenFile = options.string("token-file")
        if !configuration.sockets.isEmpty || !configuration.addresses.isEmpty { return configuration }
        if configuration.tokenFile != nil { throw UsageError("--token-file requires --socket or --listen") }
        return nil
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        offstage_return_large_memory()
        return try MainLoop.run {
            var configuration = cache.configuration
            let views = engines.viewsOrProcessors
            let node = SharedNodeRun(address, slots: views, sources: sources)
            configuration.shared = node.shelf
            let renderer = engines.renderer(views: views, configuration)
            let stops = AsyncStream<Void>.makeStream()
            Signals.stopGracefully { stops.continuation.yield() }
            let service = PictureService(renderer: renderer, remote: RemoteRequests(node.shelf))
            let server = try http.map { try HTTPServer($0, service: service, store: cache.store) { Console.line($0) } }
            await server?.start()
            if let server { Console.error("listening at \(server.names.formatted("and"))") }
            try await node.start(renderer, engines, allowsScripts: allowsScripts, limits: limits)
            server?.beginWork()
            let only = sources.map { ", only \($0.formatted("and"))" } ?? ""
            Console.error("working for class \(node.shelf.identity.machineClass), \(views) at once\(only)")
            Activation.notify("READY=1")
            for await _ in stops.stream { break }
            Activation.notify("STOPPING=1")
            server?.endWork()
            let isDone = await node.stopWorking(renderer, within: stopTimeout)
            await renderer.finish(isDone ? .drawn : .cancelled)
            await server?.stop()
            await node.stop()
            return .success
        }
    }
}
