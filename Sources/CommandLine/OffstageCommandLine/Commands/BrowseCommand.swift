import Offstage
import OffstageRequests

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

    private let browsing: BrowseRun

    init(_ options: ParsedOptions) throws { browsing = try BrowseRun(options) }

    func run() throws -> ExitCode {
        if let windows = Program.windows {
            try windows(browsing)
            return .success
        }
        // The program with the windows knows Offstage's own sources only.
        if Program.hasMoreSources {
            throw UsageError(
                "browse shows only the sources of Offstage itself; run `offstage browse`, or draw with `render`")
        }
        try BrowseProgram.start()
    }
}
