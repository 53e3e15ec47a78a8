import Foundation
import Offstage
import OffstageGTK
import OffstageRequests
import OffstageWebKit

/// `offstage browse`: HTML files as the rows of a scrolling list.
struct BrowseCommand: Command {
    static let name = "browse"
    static let summary = "Show HTML files as a scrolling list"

    /// The list determines these: its own width, and the monitor's scale.
    private static let decided: Set = [
        "width", "max-width", "height", "min-height", "max-height", "viewport-height", "scale", "selector", "each",
        "trim",
        "padding", "areas",
    ]

    static let options = OptionTable(
        operands: "[FILE|FOLDER]…",
        summary: """
            Shows HTML files as the rows of a list in a window. Offstage renders rows ahead of time, not while the
            list scrolls, and caches them. Double-click a row to select its text.
            """,
        examples: [.init("A folder's files, over and over, as 10,000 rows", "offstage browse Snippets --rows 10000")],
        common: ["manifest", "template", "data", "rows", "background", "color-scheme", "cache", "jobs", "bench"],
        options: [
            .init("manifest", value: "FILE", help: "Show the rows of FILE, a JSON object per line"),
            .init("template", value: "FILE", help: "Show FILE, or builtin:presentation, for each row of --data"),
            .init("data", value: "FILE", help: "Rows of values for --template: JSON Lines, a JSON array or CSV"),
            .init("rows", value: "N", help: "Show N rows, repeating the inputs (default: each once)"),
        ].grouped(.input) + SourceRegistry.options.filter { !decided.contains($0.name) }
            + EngineOptions.table + CacheOptions.table + SourceRegistry.limits
            + [
                .init("bench", help: "Scroll automatically on a display of its own, and report how smooth that was"),
                .init("seconds", value: "N", help: "Let --bench scroll this long, in each way (default 20)"),
                .init("json", help: "Print the report of --bench as one JSON object"),
            ].grouped(.run))

    /// True if these words of the program's command line open a window. The help must not depend on the user's
    /// settings.
    nonisolated static func opensWindow(_ arguments: ArraySlice<String>) -> Bool {
        arguments.first == "browse" && Set(arguments).isDisjoint(with: ["-h", "--help", "-V", "--version"])
    }

    private let source: JobSource
    private let rowCount: Int?
    private let engines: EngineOptions
    private let cache: CacheOptions
    private let measures: Bool
    private let seconds: Int
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        source = try JobSource(options, place: .folder("."))
        if source.readsStandardInput { throw UsageError("browse reads no standard input; name files or folders") }
        rowCount = try options.integer("rows", in: 1...10_000_000)
        engines = try EngineOptions(options)
        measures = options.has("bench")
        isJSON = options.has("json")
        if isJSON, !measures { throw UsageError("--json goes with --bench only") }
        let seconds = try options.integer("seconds", in: 1...3_600)
        if seconds != nil, !measures { throw UsageError("--seconds goes with --bench only") }
        self.seconds = seconds ?? 20
        cache = try CacheOptions(options, isQuiet: false)
    }

    func run() throws -> ExitCode {
        let jobs = try source.jobs().jobs
        if jobs.isEmpty { throw UsageError("there is no row to show; name HTML files, a folder of them or a manifest") }
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            try SharedLibrary.webKit.load()
            if measures {
                try await WindowDisplay.startOwn()
                let bench = BrowseBench(jobs: jobs, rows: rowCount ?? 20_000, engines: engines)
                try await bench.run(.standard(seconds: Double(seconds)), asJSON: isJSON)
            } else {
                try WindowDisplay.useDesktops()
                let rows = BrowseRows(jobs, count: rowCount)
                var configuration = cache.configuration
                configuration.memory = CachedPictures.cache()
                let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
                let window = BrowseWindow(rows, renderer)
                await window.closed()
                await renderer.finish(.cancelled)
            }
            return .success
        }
    }
}
