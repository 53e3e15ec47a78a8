import COffstageSystem
import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `offstage serve`: renders for other programs, over HTTP.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "Render for other programs, over HTTP"

    static let options = OptionTable(
        operands: "",
        summary: """
            Answers HTTP requests with pictures: POST /v1/images renders the HTML in its body. The service listens
            at a Unix socket or at an address of this machine. /v1/openapi.json describes all requests. Picture
            options apply to requests that do not set them. SIGTERM ends the service after the requests
            under way.
            """,
        examples: [
            .init("Serve at a Unix socket", "offstage serve --socket http.sock"),
            .init("Serve at a port of this machine", "offstage serve --listen 127.0.0.1:8808"),
            .init(
                "Serve other machines, with TLS and a token",
                "offstage serve --listen 0.0.0.0:8808 --tls-cert cert.pem --tls-key key.pem --token-file token"),
        ],
        common: [
            "socket", "listen", "token-file", "tls-cert", "tls-key", "files", "allow-javascript", "max-waiting",
            "cache",
            "jobs",
        ],
        options: ServeOptions.table + [SharedOptions.shared].grouped(.service)
            + Settings.common.filter { ["format", "ink"].contains($0.name) }
            + SourceRegistry.options.filter { !["each", "base"].contains($0.name) } + EngineOptions.table
            + CacheOptions.table.filter { $0.name != "refresh" } + SourceRegistry.limits)

    private var configuration: ServeConfiguration
    private let waiting: Int
    private let engines: EngineOptions
    private let cache: CacheOptions
    /// The database that it shares with other machines; nil for none.
    private let shared: SharedAddress?
    private let limits: ParsedOptions

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first {
            throw UsageError("serve takes no files, and '\(operand)' was given; clients send the documents")
        }
        let options = EngineOptions.forClients(options)
        cache = try CacheOptions(options, isQuiet: false)
        shared = try SharedOptions.address(options, "shared")
        limits = options
        var configuration = try ServeOptions.configuration(options)
        configuration.cacheFolder = cache.store?.folder
        // Report invalid defaults now, rather than to each client.
        try OptionUse(options).check()
        _ = try Settings(OptionUse(configuration.defaults).options(for: SourceRegistry.first))
        waiting = try ServeOptions.waiting(options)
        engines = try EngineOptions(options)
        if options.has("warm") { configuration.warmViews = engines.viewsOrProcessors }
        self.configuration = configuration
        if let store = cache.store, let problem = store.foreignWriters {
            throw UsageError("--cache \(store.folder): \(problem)")
        }
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        offstage_return_large_memory()
        Self.raiseFileLimit(to: configuration.connectionLimit + 1024)
        return try MainLoop.run {
            var renderer = cache.configuration
            renderer.maximumWaiting = waiting
            renderer.files = CachedFile.cache(limits: configuration.memoryLimits)
            let views = engines.viewsOrProcessors
            let node = shared.map { SharedNodeRun($0, slots: views) }
            renderer.shared = node?.shelf
            let service = PictureService(
                renderer: engines.renderer(views: views, renderer), remote: (node?.shelf).map { RemoteRequests($0) })
            // Do this before the sockets listen: once others can connect, they may also send SIGHUP, which must not end
            // the program. A signal that arrives before the start is handled after it.
            let reloads = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            Signals.reload { reloads.continuation.yield() }
            let server = try HTTPServer(configuration, service: service, store: cache.store) { Console.line($0) }
            let stops = AsyncStream<Void>.makeStream()
            Signals.stopGracefully { stops.continuation.yield() }
            if let node {
                try await node.start(
                    service.renderer, engines, allowsScripts: configuration.policy.allowsScripts, limits: limits)
                Console.error("sharing pictures in class \(node.shelf.identity.machineClass)")
            }
            await server.start()
            let reloading = Task { @MainActor in
                for await _ in reloads.stream { Self.reload(server) }
            }
            defer { reloading.cancel() }
            let warming = Task {
                if configuration.warmViews > 0 { await server.warm { Console.error($0) } }
            }
            Console.error("listening at \(server.names.formatted("and"))")
            Activation.notify("READY=1")
            for await _ in stops.stream { break }
            warming.cancel()
            await server.drain()
            let others = Task { [configuration] in
                await node?.stopWorking(service.renderer, within: configuration.stopTimeout)
            }
            await server.stop()
            _ = await others.value
            await service.renderer.finish(.cancelled)
            await node?.stop()
            return .success
        }
    }

    @MainActor
    private static func reload(_ server: HTTPServer) {
        do throws(UsageError) {
            try server.reload()
            Console.error("read the token file and the certificate again")
        } catch {
            Console.error("nothing was changed: \(error)")
        }
    }

    /// Raises the limit of open files: each connection is a file, and connections beyond the limit are rejected.
    private static func raiseFileLimit(to count: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(rlim_t(count), limit.rlim_max))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
