import Foundation
import Offstage
import OffstageGTK
import OffstageInk
import OffstageRequests
import OffstageWebKit

/// `offstage browse`: files as the rows of a scrolling list, or the cells of a grid.
struct BrowseCommand: Command {
    static let name = "browse"
    static let summary = "Show files as a scrolling list or grid"

    /// The list determines these options, from its width and the monitor's scale.
    private static let decided: Set = [
        "width", "max-width", "height", "min-height", "max-height", "viewport-height", "scale", "selector", "each",
        "outset",
        "trim",
        "padding", "areas",
    ]

    static let options = OptionTable(
        operands: "[FILE|FOLDER]…",
        summary: """
            Shows the files of a folder in a window, as the rows of a list or the cells of a grid. Offstage renders them
            ahead of time and caches them. Ctrl 1 shows the list, Ctrl 2 the grid. Double-click a row to select its
            text, or to open a PDF document: Page Down and Page Up turn its pages, Escape goes back. A single document
            opens at once. P draws on its pages, and Ctrl S saves it with its annotations as a new PDF document.
            Double-click a sound to play it with GStreamer; Space pauses. A single ink file opens for drawing; each
            stroke is saved when the pen is lifted.
            """,
        examples: [
            .init("A folder's files, over and over, as 10,000 rows", "offstage browse Snippets --rows 10000"),
            .init(
                "A gallery of a folder's files, with a heading for each folder in it", "offstage browse Snippets --grid"
            ),
        ],
        common: [
            "grid", "manifest", "template", "data", "rows", "background", "color-scheme", "cache", "jobs", "bench",
        ],
        options: [
            .init("grid", help: "Show a grid of equal cells"),
            .init("manifest", value: "FILE", help: "Show the rows of FILE, a JSON object per line"),
            .init("template", value: "FILE", help: "Show FILE, or builtin:presentation, for each row of --data"),
            .init("data", value: "FILE", help: "Rows of values for --template: JSON Lines, a JSON array or CSV"),
            .init("rows", value: "N", help: "Show N rows, repeating the inputs (default: each once)"),
        ].grouped(.input) + SourceRegistry.options.filter { !decided.contains($0.name) }
            + Settings.common.filter { $0.name == "ink" }
            + EngineOptions.table + CacheOptions.table + SourceRegistry.limits
            + [
                .init(
                    "bench",
                    help:
                        "Scroll, turn the pages of documents, or write on ink, on a hidden display, and report how "
                        + "smooth that was"
                ),
                .init(
                    "script", value: "sweep|people",
                    help:
                        "Choose how --bench scrolls: sweep without pauses (default), or people with pauses for reading"
                ),
                .init(
                    "seconds", value: "N", help: "Let --bench scroll this long, in each way (default 20; people: 60)"),
                .init(
                    "ways", value: "LIST",
                    help:
                        "Measure these ways in --bench, comma-separated: governed, suspended, unlimited, none, "
                        + "web-views"),
                .init(
                    "warm",
                    help: "Draw and store all rows before each way of --bench"),
                .init("json", help: "Print the report of --bench as one JSON object"),
            ].grouped(.run))

    /// True if these words of the program's command line open a window. The words of `--help` don't, because the help
    /// must not depend on the user's settings.
    nonisolated static func opensWindow(_ arguments: ArraySlice<String>) -> Bool {
        arguments.first == "browse" && Set(arguments).isDisjoint(with: ["-h", "--help", "-V", "--version"])
    }

    /// A single ink file, which opens for drawing.
    private let ink: String?
    private let source: JobSource
    private let rowCount: Int?
    private let isGrid: Bool
    private let engines: EngineOptions
    private let cache: CacheOptions
    /// Nil without `--bench`.
    private let bench: Bench?

    private struct Bench {
        var script: ScrollScript
        /// True for the script `people`.
        var isPeople: Bool
        var ways: [BrowseBench.Way]
        var isWarm: Bool
        var isJSON: Bool

        init(_ options: ParsedOptions) throws(UsageError) {
            let name: ScrollScript.Name = try options.choice("script") ?? .sweep
            let seconds = try options.integer("seconds", in: 1...3_600) ?? name.duration
            script = ScrollScript(name, seconds: Double(seconds))
            isPeople = name == .people
            let isGrid = options.has("grid")
            ways = try options.choices("ways") ?? BrowseBench.Way.allCases.filter { !isGrid || $0 != .live }
            if isGrid, ways.contains(.live) {
                throw UsageError("a grid has no web views; leave out --grid, or web-views of --ways")
            }
            (isWarm, isJSON) = (options.has("warm"), options.has("json"))
        }
    }

    init(_ options: ParsedOptions) throws {
        source = try JobSource(options, place: .folder("."))
        if source.readsStandardInput { throw UsageError("browse does not read standard input; name files or folders") }
        rowCount = try options.integer("rows", in: 1...10_000_000)
        isGrid = options.has("grid")
        engines = try EngineOptions(options)
        let others = ["json", "script", "seconds", "ways", "warm"]
        if !options.has("bench"), let other = others.first(where: options.has) {
            throw UsageError("--\(other) requires --bench")
        }
        bench = options.has("bench") ? try Bench(options) : nil
        cache = try CacheOptions(options, isQuiet: false)
        let isAlone = options.operands.count == 1 && !options.has("grid") && rowCount == nil
        ink =
            isAlone && SourceRegistry.source(ofFile: options.operands[0]) === RegisteredSource.ink
            ? options.operands[0] : nil
    }

    func run() throws -> ExitCode {
        if let ink, let bench { return try measure(ink, bench) }
        if let ink { return try draw(on: ink) }
        let jobs = try source.jobs().jobs
        if jobs.isEmpty {
            throw UsageError("no rows to show; name HTML files, a folder of HTML files, or a manifest")
        }
        try PrivateFonts.apply(engines.fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            try SharedLibrary.webKit.load()
            if let bench {
                try await WindowDisplay.startOwn()
                if jobs.allSatisfy({ $0.input.source.name == "pdf" }), !isGrid {
                    let run = PageBench(
                        jobs: jobs, engines: engines, seconds: bench.script.duration, isWarm: bench.isWarm)
                    try await run.run(asJSON: bench.isJSON)
                    return .success
                }
                let run = BrowseBench(
                    jobs: jobs, rows: rowCount ?? 20_000, engines: engines, script: bench.script, ways: bench.ways,
                    isWarm: bench.isWarm, isGrid: isGrid)
                try await run.run(asJSON: bench.isJSON)
            } else {
                try WindowDisplay.useDesktops()
                let rows = BrowseRows(jobs, count: rowCount)
                var configuration = cache.configuration
                configuration.memory = CachedPictures.cache()
                let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
                let window = BrowseWindow(rows, renderer, isGrid: isGrid)
                window.startPlaying()
                await window.closed()
                await renderer.finish(.cancelled)
            }
            return .success
        }
    }

    /// Measures how fast an ink file opens, and how fast the window follows the pen.
    private func measure(_ path: String, _ bench: Bench) throws -> ExitCode {
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            try SharedLibrary.webKit.load()
            try await WindowDisplay.startOwn()
            let engine = InkEngine(workers: 1, jail: engines.sandbox.jail, fresh: engines.fresh)
            let run = InkBench(path, engine)
            try await run.run(asJSON: bench.isJSON, writesLong: bench.isPeople)
            await engine.shutDown()
            return .success
        }
    }

    /// Opens an ink file for drawing.
    private func draw(on path: String) throws -> ExitCode {
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            try SharedLibrary.webKit.load()
            try WindowDisplay.useDesktops()
            let engine = InkEngine(workers: 1, jail: engines.sandbox.jail, fresh: engines.fresh)
            let events = InkEvents()
            let renderer = engines.renderer(views: engines.viewsOrProcessors, cache.configuration)
            let window = InkWindow(name: (path as NSString).lastPathComponent)
            events.window = window
            let opened = try await InkFile.open(path, engine: engine, progress: { events.note($0) }) { events.note($0) }
            window.open(opened)
            for warning in opened.warnings { Console.error("\(path): \(warning)") }
            let backdrops = Task {
                for (index, page) in opened.editor.ink.pages.enumerated() {
                    guard let request = InkBackdrop.request(for: page, of: path, at: index) else { continue }
                    let picture = try? await renderer.picture(for: request)
                    window.setBackdrop(picture?.pixmap, page: index)
                }
            }
            await window.closed()
            backdrops.cancel()
            await renderer.finish(.cancelled)
            await engine.shutDown()
            return .success
        }
    }
}

/// Shows what happens to a file in its window.
@MainActor
private final class InkEvents: Sendable {
    weak var window: InkWindow?

    nonisolated func note(_ slice: InkSlice) { Task { @MainActor in self.window?.show(slice) } }

    nonisolated func note(_ event: InkFile.Event) {
        Task { @MainActor in
            if let window = self.window { return window.note(event) }
            // True while the file is being opened, and after the window was closed.
            switch event {
            case .failed(let error): Console.error("not saved: \(error)")
            case .keptOriginal(let path): Console.line("the previous version of the file is now \(path)")
            case .moved(let path): Console.line("another program has changed the file; your changes are in \(path)")
            case .keptOther(let path):
                Console.line("another program wrote the file at the same moment; its version is now \(path)")
            case .saved, .stored, .openedElsewhere, .changedElsewhere, .skipped: break
            }
        }
    }
}
