import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `offstage render`: renders HTML files to pictures.
struct RenderCommand: Command {
    static let name = "render"
    static let summary = "Render HTML, images, PDF pages, sounds and ink to pictures"

    static let options = OptionTable(
        operands: "[FILE|FOLDER|-]…",
        summary: """
            Renders each HTML, SVG or image file, each sound, and a page of each PDF document or file with ink, to a
            picture. A folder means the \(kinds) files below it, and - means standard input.
            Page scripts and the network are off. A document can load files from its own folder only.
            """,
        examples: [
            .init("One file; the picture is page.png in the current folder", "offstage render page.html"),
            .init(
                "Standard input, to a picture 600 CSS px wide, at two device px for each CSS px",
                "echo '<h1>Hello</h1>' | offstage render - -o hello.png --width 600 --scale 2"),
            .init(
                "The first pages of a score and its last one, with and without annotations, below out/score",
                "offstage render score.pdf --pages 1-3,last --fit 1024x768 --variant plain,annotated --out out"),
            .init(
                "A folder, with JPEG thumbnails and a page to look through the pictures",
                "offstage render Snippets --out out --also thumb:120x120:jpeg --html out/index.html"),
        ],
        common: [
            "output", "out", "width", "height", "scale", "format", "background", "javascript", "allow-host", "strict",
        ],
        options: inputs + SourceRegistry.parts + outputs + RowSettings.table + EngineOptions.table + CacheOptions.table
            + SourceRegistry.limits + run)

    /// The registered sources, as a phrase: `HTML, image and PDF`.
    private static let kinds = SourceRegistry.all.map {
        ["html", "pdf"].contains($0.name) ? $0.name.uppercased() : $0.name
    }
    .formatted("and")

    private static let inputs: [OptionTable.Option] = [
        .init("manifest", value: "FILE|-", help: "Render the rows of FILE, a JSON object per line"),
        .init("template", value: "FILE", help: "Render FILE, or builtin:presentation, for each row of --data"),
        .init("data", value: "FILE|-", help: "Rows of values for --template: JSON Lines, a JSON array or CSV"),
    ].grouped(.input)

    private static let outputs: [OptionTable.Option] = [
        .init(
            "out", value: "FOLDER", help: "Write the pictures below FOLDER, with the same subfolders as an input folder"
        ),
        .init(
            "output", letter: "o", value: "FILE",
            help: "Write the one picture to FILE; - is standard output "
                + "(default for one file: its name, in the current folder)"),
        .init(
            "name", value: "PATTERN",
            help: "Name files below --out like this; {scale} works, too (default {id}{part}{variant}.{ext})"),
        .init("save-html", help: "Save each document, as the engine received it, next to its picture"),
        .init("json", help: "Print one JSON line per picture on standard output"),
        .init("results", value: "FILE", help: "Write the lines of --json to FILE when all pictures are finished"),
        .init("html", value: "FILE", help: "Write a page with all pictures, sizes, warnings and errors to FILE"),
        .init("depfile", value: "FILE", help: "Write the sources of each picture to FILE, as rules for Make"),
        .init("depfile-target", value: "NAME", help: "Write one rule with this target instead of one per picture"),
    ].grouped(.output)

    private static let runTimeout = OptionTable.Option(
        "run-timeout", value: "SECONDS", help: "Fail pictures that are not finished after this time (default: no limit)"
    )

    private static let run: [OptionTable.Option] =
        [runTimeout].grouped(.limits)
        + [
            .init("watch", help: "Render changed documents again, until Ctrl-C"),
            .init("progress", help: "Print the progress of decoding sounds, on standard error"),
            .init("suspend-signal", help: "Suspend the run on SIGUSR1 and resume it on SIGUSR2"),
            SharedOptions.via,
            .init("quiet", letter: "q", help: "Print errors only"),
        ].grouped(.run)

    private var session: RenderSession
    /// The database of the machines that draw; nil to draw on this machine.
    private let via: SharedAddress?
    private let watches: Bool
    private let suspends: Bool

    init(_ options: ParsedOptions) throws {
        let place = try Self.place(options)
        let source = try JobSource(options, place: place)
        let pattern = try options.string("name").map { text throws(UsageError) in try NamePattern(text) }
        if pattern != nil, !options.has("out") { throw UsageError("--name requires --out") }
        watches = options.has("watch")
        if watches, source.readsStandardInput { throw UsageError("--watch cannot watch standard input; name a file") }
        if case .standardOutput = place {
            if options.has("json") { throw UsageError("--json and -o - both need standard output; use one") }
            if watches { throw UsageError("--watch cannot be combined with -o -; use -o FILE or --out FOLDER") }
            if options.has("depfile"), !options.has("depfile-target") {
                throw UsageError(
                    "--depfile needs a file name, and -o - has none; use -o FILE, --out FOLDER or --depfile-target")
            }
        }
        if watches, options.has("run-timeout") {
            throw UsageError("--watch runs until Ctrl-C and cannot be combined with --run-timeout; use one")
        }
        if watches, options.has("depfile") { throw UsageError("--watch and --depfile cannot be combined; use one") }
        if watches, options.has("save-html"), let folder = source.folder(around: place) {
            throw UsageError(
                "--watch would render the files that --save-html writes below \(folder); choose another output path")
        }
        via = try SharedOptions.address(options, "via")
        if via != nil, watches {
            throw UsageError(
                "--watch renders on this machine, so it cannot be combined with --via; leave one out")
        }
        session = RenderSession(
            source: source,
            output: OutputPlan(place, pattern: pattern ?? .standard, savesHTML: options.has("save-html")),
            files: try ResultFiles(options), engines: try EngineOptions(options),
            cache: try CacheOptions(options, isQuiet: options.has("quiet")),
            isQuiet: options.has("quiet"),
            isJSON: options.has("json"), timeout: try options.positive("run-timeout", upTo: 31_536_000))
        session.reportsDecoding = options.has("progress")
        suspends = options.has("suspend-signal")
    }

    private static func place(_ options: ParsedOptions) throws(UsageError) -> OutputPlan.Place {
        switch (options.string("out"), options.string("output")) {
        // An empty name may come from an unset variable in a script. It must not mean the working folder by accident.
        case ("", nil): throw UsageError("--out needs the name of a folder; . is the working folder")
        case (nil, ""): throw UsageError("-o needs the name of a file; - is standard output")
        case (let folder?, nil): return .folder(folder)
        case (nil, "-"): return .standardOutput
        case (nil, let file?): return .file(file)
        case (nil, nil): return .file(try picture(options))
        case (.some, .some): throw UsageError("--out and -o cannot be combined; use one")
        }
    }

    /// The default file for the picture of a single file: `page.png` for `in/page.html`, in the working folder.
    private static func picture(_ options: ParsedOptions) throws(UsageError) -> String {
        if options.operands.contains(where: InputList.isURL) { throw InputList.urlError }
        guard options.operands.count == 1, let input = options.operands.first, input != "-", !input.isEmpty,
            OutputFolder.kind(of: input) != S_IFDIR, !options.has("each"), !options.has("manifest"),
            !options.has("template"), !options.has("data")
        else {
            // Report errors in the input first.
            _ = try JobSource(options, place: .standardOutput)
            throw UsageError("no output given; use --out FOLDER, or -o FILE for one picture")
        }
        return InputList.identifier(ofFile: input) + "."
            + (try Settings(OptionUse(options).options(for: SourceRegistry.first)).variants[0].format.fileExtension)
    }

    func run() throws -> ExitCode {
        var session = session
        if suspends { session.pause = Signals.catchPauses() }
        try PrivateFonts.apply(session.engines.fonts)
        defer { PrivateFonts.discard() }
        if watches { try watch(session) }
        return try once(session)
    }

    private func once(_ session: RenderSession) throws -> ExitCode {
        let found = try session.jobs()
        let jobs = found.jobs
        if !session.isQuiet { for warning in found.warnings { Console.error(warning) } }
        defer { ChildProcesses.endAll() }
        var session = session
        session.via = via.map { ViaRun($0) }
        return try MainLoop.run { [session] in
            let renderer = session.renderer(for: jobs)
            if let via = session.via {
                try await via.start()
                via.withdrawAtEnd()
            }
            var all: [PictureResult] = []
            var dependencies = Depfile(target: session.files.depfileTarget)
            let inputs = RunInputs(of: found, for: session.output, and: session.files.paths.map(\.path))
            let pictures = jobs.map { job in
                let sources = session.files.depfile == nil ? nil : SourceFiles()
                for file in found.files.union(found.rowFiles) { sources?.add(file) }
                return RenderJob(
                    job: job, output: session.output, options: session.cache.render, sources: sources,
                    inputs: inputs, via: session.via, isQuiet: session.isQuiet)
            }
            var reported = 0
            let outcome = try await session.draw(pictures, with: renderer) { results in
                if !session.files.isEmpty { all += results }
                if let sources = pictures[reported].sources { dependencies.add(results, from: sources) }
                reported += 1
            }
            try session.files.write(all, dependencies, keeping: inputs)
            if !session.isQuiet {
                for name in dependencies.unnamed {
                    Console.error("--depfile leaves out \(name): Make cannot read this name; rename the file")
                }
            }
            // Nobody waits for drawings that are still in progress.
            if outcome.isCutShort { AtomicFile.removeUnfinished() } else { await renderer.finish() }
            await session.via?.stop()
            return outcome.failed == 0 ? .success : .someFailed
        }
    }

    private func watch(_ session: RenderSession) throws -> Never {
        defer { ChildProcesses.endAll() }
        try MainLoop.run {
            try await Watch(session).run(with: session.renderer(for: nil))
        }
    }
}
