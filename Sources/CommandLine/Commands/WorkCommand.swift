import COffstageSystem
import Foundation
import Offstage
import OffstageRequests
import OffstageService
import OffstageShared
import OffstageWebKit

/// `offstage work`: renders what other machines have submitted to a shared database.
struct WorkCommand: Command {
    static let name = "work"
    static let summary = "Render for other machines, from a shared queue"

    static let options = OptionTable(
        operands: "",
        summary: """
            Takes requests from the queue in a PostgreSQL database and puts the pictures there, until SIGTERM or Ctrl-C.
            `offstage render --via URL` and `offstage serve --shared URL` of other machines submit them. `offstage shared
            init URL` creates the tables. The requests' limits are those given here.
            """,
        examples: [
            .init("Two drawings at once", "offstage work --shared postgresql://db.example.org/offstage -j 2")
        ],
        options: [
            SharedOptions.shared,
            .init("allow-javascript", help: "Let requests turn page scripts on"),
        ] + EngineOptions.table.filter { !["allow-host", "allow-private-addresses"].contains($0.name) }
            + [CacheOptions.folder] + SourceRegistry.limits.filter { $0.name != "ink" })

    private let address: SharedAddress
    private let engines: EngineOptions
    private let cache: CacheOptions
    private let allowsScripts: Bool
    private let limits: ParsedOptions

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first {
            throw UsageError("work takes no files, and '\(operand)' was given; other machines send the documents")
        }
        cache = try CacheOptions(options, isQuiet: false)
        engines = try EngineOptions(options)
        _ = try Settings(options)
        allowsScripts = options.has("allow-javascript")
        limits = options
        guard let address = try SharedOptions.address(options, "shared") else {
            throw UsageError("work needs the database with the queue: offstage work --shared URL")
        }
        self.address = address
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        DisplayWatch.onLoss = nil
        DisplayWatch.outlivesDefault = true
        offstage_return_large_memory()
        return try MainLoop.run {
            var configuration = cache.configuration
            let views = engines.viewsOrProcessors
            let node = SharedNodeRun(address, slots: views)
            configuration.shared = node.shelf
            let renderer = engines.renderer(views: views, configuration)
            let stops = AsyncStream<Void>.makeStream()
            Signals.stopGracefully { stops.continuation.yield() }
            try await node.start(renderer, engines, allowsScripts: allowsScripts, limits: limits)
            Console.error("working for class \(node.shelf.identity.machineClass), \(views) at once")
            Activation.notify("READY=1")
            for await _ in stops.stream { break }
            Activation.notify("STOPPING=1")
            await node.stopWorking()
            await renderer.finish()
            await node.stop()
            return .success
        }
    }
}
