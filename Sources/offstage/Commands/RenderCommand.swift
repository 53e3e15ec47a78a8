import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// `offstage render`: HTML files into pictures.
struct RenderCommand: Command {
    static let name = "render"
    static let summary = "Draw HTML files into pictures"

    static let options = OptionTable(
        operands: "[FILE|FOLDER|-]…",
        summary: """
            Draws each HTML file into a picture. A folder stands for the .html and .htm files below
            it, - for standard input. Page scripts and the network are off; files are read
            from the HTML file's own folder only.
            """,
        options: [
            .init("manifest", value: "FILE|-", help: "Draw the rows of a file, a JSON object a line"),
            .init("template", value: "FILE", help: "Draw this for each row of --data; or builtin:presentation"),
            .init("data", value: "FILE|-", help: "The template's values, a JSON object a line"),
            .init("out", value: "FOLDER", help: "Put the pictures here; the tree of a folder is kept"),
            .init("output", letter: "o", value: "FILE", help: "Put the one picture here; - is standard output"),
            .init("name", value: "PATTERN", help: "Names below --out; default {id}{part}{variant}.{ext}; {scale} too"),
        ] + Settings.filesTable + SnippetOptions.table + [
            FontsOption.option, SandboxOption.on, SandboxOption.off,
        ] + NetworkOptions.table + [
            .init("save-html", help: "Put each document, as the engine got it, beside its picture")
        ] + CacheOptions.table + LimitOptions.table + [
            .init("jobs", letter: "j", value: "N", help: "Draw so many at once, each in a process; default by cores"),
            .init("json", help: "One JSON line a picture on standard output"),
            .init("results", value: "FILE", help: "What --json tells, into a file when all is drawn"),
            .init("html", value: "FILE", help: "A page with all pictures, their sizes, warnings and errors"),
            .init("depfile", value: "FILE", help: "What each picture is made from, as rules for Make"),
            .init("depfile-target", value: "NAME", help: "One rule in it for all, of this name; default the pictures'"),
            .init("suspend-signal", help: "SIGUSR1 pauses the run, SIGUSR2 goes on"),
            .init("watch", help: "Draw again what changes, until Ctrl-C"),
            .init("quiet", letter: "q", help: "No progress and no warnings, errors only"),
        ])

    private let session: RenderSession
    private let watches: Bool
    private let fonts: String?
    private let suspends: Bool

    init(_ options: ParsedOptions) throws {
        let place = try Self.place(options)
        let source = try JobSource(options, place: place)
        let pattern = try options.string("name").map { text throws(UsageError) in try NamePattern(text) }
        if pattern != nil, !options.has("out") { throw UsageError("--name goes with --out only") }
        watches = options.has("watch")
        if watches, source.readsStandardInput { throw UsageError("--watch cannot watch standard input; name a file") }
        if case .standardOutput = place {
            if options.has("json") { throw UsageError("--json and -o - both need standard output; use one") }
            if watches { throw UsageError("--watch has no use for -o -; use -o FILE or --out FOLDER") }
            if options.has("depfile"), !options.has("depfile-target") {
                throw UsageError("--depfile has no name for -o -; use -o FILE, --out FOLDER or --depfile-target")
            }
        }
        if watches, options.has("run-timeout") { throw UsageError("--watch has no end and needs no --run-timeout") }
        if watches, options.has("depfile") { throw UsageError("--watch and --depfile cannot both be; use one") }
        if watches, options.has("save-html"), let folder = source.folder(around: place) {
            throw UsageError("--watch would draw what --save-html puts below \(folder); choose another place for it")
        }
        session = RenderSession(
            source: source,
            output: OutputPlan(place, pattern: pattern ?? .standard, savesHTML: options.has("save-html")),
            files: try ResultFiles(options), views: try options.integer("jobs", in: 1...64),
            sandbox: try SandboxOption.value(options), hosts: try NetworkOptions.value(options),
            cache: try CacheOptions(options, isQuiet: options.has("quiet")),
            isQuiet: options.has("quiet"),
            isJSON: options.has("json"), timeout: try LimitOptions.runTimeout(options))
        fonts = options.string("fonts")
        suspends = options.has("suspend-signal")
    }

    private static func place(_ options: ParsedOptions) throws(UsageError) -> OutputPlan.Place {
        switch (options.string("out"), options.string("output")) {
        // As from an unset variable in a script: not the working folder by chance.
        case ("", nil): throw UsageError("--out needs the name of a folder; . is the working folder")
        case (nil, ""): throw UsageError("-o needs the name of a file; - is standard output")
        case (let folder?, nil): return .folder(folder)
        case (nil, "-"): return .standardOutput
        case (nil, let file?): return .file(file)
        case (nil, nil): throw UsageError("say where to put it: --out FOLDER, or -o FILE for one picture")
        case (.some, .some): throw UsageError("--out and -o cannot both be; use one")
        }
    }

    func run() throws -> ExitCode {
        var session = session
        if suspends { session.pause = Signals.catchPauses() }
        try FontsOption.apply(fonts)
        defer { PrivateFonts.discard() }
        if watches { try watch(session) }
        return try once(session)
    }

    private func once(_ session: RenderSession) throws -> ExitCode {
        let found = try session.jobs()
        let jobs = found.jobs
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            let renderer = session.renderer(views: session.views(for: jobs.count))
            var all: [PictureResult] = []
            var dependencies = Depfile(target: session.files.depfileTarget)
            let pictures = jobs.map { job in
                let sources = session.files.depfile == nil ? nil : SourceFiles()
                for file in found.files.union(found.rowFiles) { sources?.add(file) }
                return Picture(job: job, output: session.output, options: session.cache.render, sources: sources)
            }
            var reported = 0
            let outcome = try await session.draw(pictures, with: renderer) { results in
                if !session.files.isEmpty { all += results }
                if let sources = pictures[reported].sources { dependencies.add(results, from: sources) }
                reported += 1
            }
            try session.files.write(all, dependencies)
            // What is still being drawn then nobody waits for.
            if outcome.isCutShort { AtomicFile.removeUnfinished() } else { await renderer.finish() }
            return outcome.failed == 0 ? .success : .someFailed
        }
    }

    private func watch(_ session: RenderSession) throws -> Never {
        defer { ChildProcesses.endAll() }
        try MainLoop.run {
            try await Watch(session).run(with: session.renderer(views: session.views(for: .max)))
        }
    }
}
