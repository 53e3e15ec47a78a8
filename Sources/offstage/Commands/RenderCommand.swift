import Foundation
import Offstage
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
            .init("out", value: "FOLDER", help: "Put the pictures here; the tree of a folder is kept"),
            .init("output", letter: "o", value: "FILE", help: "Put the one picture here; - is standard output"),
            .init("format", value: "SPEC", help: "png, jpeg, webp or raw, with options; default by -o, else png"),
            .init(
                "also", value: "SPEC", isRepeatable: true,
                help: "One more file each: a format, or thumb:WxH; may stand several times"),
        ] + SnippetOptions.table + [
            FontsOption.option,
            .init("save-html", help: "Put each document, as the engine got it, beside its picture"),
            .init("jobs", letter: "j", value: "N", help: "Draw so many at once, each in a process; default 1"),
            .init("json", help: "One JSON line a picture on standard output"),
            .init("quiet", letter: "q", help: "No progress and no warnings, errors only"),
        ])

    private let inputs: [Input]
    private let output: OutputPlan
    private let views: Int
    private let fonts: String?
    private let isJSON: Bool
    private let isQuiet: Bool
    private let snippetOptions: SnippetOptions

    init(_ options: ParsedOptions) throws {
        if options.operands.isEmpty {
            throw UsageError("say what to draw: an HTML file, a folder of them, or - for standard input")
        }
        output = try Self.output(options)
        views = try options.integer("jobs", in: 1...64) ?? 1
        fonts = options.string("fonts")
        isJSON = options.has("json")
        isQuiet = options.has("quiet")
        if case .standardOutput = output.place, isJSON {
            throw UsageError("--json and -o - both need standard output; use one")
        }
        snippetOptions = try SnippetOptions(options, limit: output.limit)
        if snippetOptions.selector?.isEach == true, options.has("output") {
            throw UsageError("--each may give several pictures; use --out FOLDER instead of -o")
        }
        inputs = try InputList.expand(options.operands)
    }

    private static func output(_ options: ParsedOptions) throws(UsageError) -> OutputPlan {
        let place = try place(options)
        var format = ImageFormat.png()
        if let spec = options.string("format") {
            format = try FormatSpec.format(spec[...], of: "--format")
        } else if case .file(let path) = place {
            format = try FormatSpec.format(ofFile: path)
        }
        var also: [ImageVariant] = []
        for spec in options.strings("also") { also.append(try VariantSpec.variant(spec)) }
        return OutputPlan(place, format: format, also: also, savesHTML: options.has("save-html"))
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
        try FontsOption.apply(fonts)
        defer { PrivateFonts.discard() }
        try output.check(inputs, inParts: snippetOptions.selector?.isEach ?? false)
        let run = RenderRun(inputs: inputs, output: output, views: min(views, inputs.count), options: snippetOptions)
        let (isQuiet, isJSON, place) = (isQuiet, isJSON, place)
        return try MainLoop.run {
            var reporter = Reporter(isQuiet: isQuiet, isJSON: isJSON, total: run.inputs.count)
            let failed = try await run.run { try reporter.report($0) }
            reporter.finish(place: place)
            return failed == 0 ? .success : .someFailed
        }
    }

    /// For the last line.
    private var place: String? {
        switch output.place {
        case .folder(let folder): folder
        case .file(let file): file
        case .standardOutput: nil
        }
    }
}
