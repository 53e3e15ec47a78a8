import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `offstage pipe`: renders for another program, which sends requests as lines of JSON.
struct PipeCommand: Command {
    static let name = "pipe"
    static let summary = "Render for another program, with lines of JSON"

    static let options = OptionTable(
        operands: "",
        summary: """
            Reads requests from standard input, a JSON object per line, and prints a result for each as a line on
            standard output. Options apply to requests that do not set them.
            `offstage --print-schema request|command|result` prints the schemas of the lines.
            """,
        examples: [
            .init(
                "One request; its picture is out/hello.png",
                #"echo '{"identifier": "hello", "html": "<h1>Hello</h1>"}' | offstage pipe --out out"#)
        ],
        common: ["out", "ordered", "limit", "jobs", "format", "width", "scale", "javascript", "allow-host", "cache"],
        options: [
            .init("out", value: "FOLDER", help: "Write pictures below FOLDER (default: no files)"),
            .init("ordered", help: "Print results in the order of the requests (default: when they are ready)"),
            .init("limit", value: "N", help: "Work on N requests at once, and read no more meanwhile (default 100)"),
        ] + RowSettings.table + EngineOptions.table + CacheOptions.table + SourceRegistry.limits
            + [
                SharedOptions.via,
                .init("quiet", letter: "q", help: "Print only errors, no warnings, on standard error"),
            ].grouped(.run))

    private let folder: String?
    private let reader: RequestReader
    private let isOrdered: Bool
    private let limit: Int
    private let lineLimit: Int
    private let engines: EngineOptions
    private let cache: CacheOptions
    private let isQuiet: Bool
    /// The database of the machines that draw; nil to draw on this machine.
    private let via: SharedAddress?

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first {
            throw UsageError("pipe reads requests from standard input; leave out '\(operand)'")
        }
        if options.string("out") == "" { throw UsageError("--out needs the name of a folder; . is the working folder") }
        folder = options.string("out")
        isOrdered = options.has("ordered")
        limit = try options.integer("limit", in: 1...100_000) ?? 100
        engines = try EngineOptions(options)
        isQuiet = options.has("quiet")
        via = try SharedOptions.address(options, "via")
        cache = try CacheOptions(options, isQuiet: isQuiet)
        // Report invalid options now: no request can correct them.
        try OptionUse(options).check()
        _ = try Settings(OptionUse(options).options(for: SourceRegistry.first))
        let inputLimit =
            SourceRegistry.all.compactMap { try? Settings(OptionUse(options).options(for: $0), of: $0).inputLimit }
            .max() ?? 0
        // A document's quotes and line ends take two bytes in JSON, and there are other keys.
        lineLimit = min(inputLimit, 1 << 40) * 2 + 65_536
        reader = RequestReader(options, folder: nil, allowsFiles: true)
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        if let folder { try OutputFolder.prepare(folder) }
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            let via = via.map { ViaRun($0) }
            var drawing = cache.configuration
            drawing.shared = via?.shelf
            let renderer = engines.renderer(views: engines.viewsOrProcessors, drawing)
            try await via?.start()
            via?.withdrawAtEnd()
            var configuration = LineSession.Configuration(limit: limit, lineLimit: lineLimit)
            configuration.isOrdered = isOrdered
            configuration.output = folder.map { OutputFiles(below: $0) }
            let session = LineSession(
                service: PictureService(renderer: renderer, via: via?.requests),
                reader: ServiceRequestReader(reader, refreshes: cache.refreshes), configuration)
            let streams = StandardStreams()
            let work = Task { await session.run(read: streams.read, write: streams.write) }
            streams.onLossOfReader { work.cancel() }
            let outcome = await work.value
            if outcome.isCutShort {
                await via?.stop()
                Console.error("standard output was closed before all requests were answered; the others are not drawn")
                // Nobody waits for drawings that are still in progress.
                AtomicFile.removeUnfinished()
                return .someFailed
            }
            await renderer.finish()
            await via?.stop()
            if !isQuiet { for line in outcome.withoutEffect { Console.error(line) } }
            if let unavailable = outcome.unavailable { throw unavailable }
            return outcome.failed == 0 ? .success : .someFailed
        }
    }
}
