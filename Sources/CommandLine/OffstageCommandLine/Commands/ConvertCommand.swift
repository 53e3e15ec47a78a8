import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageInk
import OffstagePages
import OffstageRequests

/// `offstage convert`: converts ink files to other formats, and copies annotations into and out of PDF documents.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Convert ink files, and save annotations in PDF documents"

    static let options = OptionTable(
        operands: "FILE OUTPUT",
        summary: """
            Reads an ink file (.xopp, .xoj, .inkml, .rnote, .excalidraw, .tldr, JSON with points, or the Ink
            annotations of a .pdf) and writes it in the format of OUTPUT's extension: .pdf, .svg, .inkml or .xopp. Strokes
            stay lines. A warning names everything that the format cannot store. For pixels, use `offstage render`.

            From a .pdf to another .pdf, it saves annotations in the document, for all programs; from a .pdf to .json or
            .xfdf, it writes the document's annotations into a file. OUTPUT is never FILE itself or another
            input, unless you give --force.
            """,
        examples: [
            .init("Notes as a PDF document", "offstage convert notes.xopp notes.pdf"),
            .init("With strokes that other programs can change", "offstage convert notes.xopp notes.pdf --annotations"),
            .init(
                "A document with its annotations", "offstage convert score.pdf annotated.pdf --annotations notes.json"),
            .init("The annotations of a document", "offstage convert annotated.pdf notes.xfdf"),
        ],
        options: [
            .init(
                "annotations", value: "FILE", valueEndings: [".json", ".xfdf"],
                help: "Write the annotations of FILE, .json or .xfdf, into a PDF document (default: "
                    + "FILE.annotations.json beside it); for ink, without FILE: write strokes to PDF as Ink "
                    + "annotations"),
            .init(
                "remove-annotations", value: "all|ID,…",
                help: "Delete annotations from a PDF document: all, or these; `offstage info --annotations` lists them"),
            .init(
                "document", value: "FILE",
                help: "The PDF document of the annotations, to convert .xfdf to .json or back"),
            .init("page", value: "N", help: "Write this page of the ink to SVG, counted from 1 (default 1)"),
            .init(
                "force",
                help:
                    "Overwrite an input, and keep the old file as NAME.original; also change certified documents"
            ),
        ].grouped(.run)
            + (SourceRegistry.options + EngineOptions.table + SourceRegistry.limits).filter { own.contains($0.name) })

    private static let own = [
        "password-file", "sandbox", "no-sandbox", EngineOptions.freshWorkers, "max-input-bytes", "max-points",
        "max-memory", "max-cpu",
    ]
    private static let formats = ["pdf", "svg", "inkml", "xopp"]

    private let input: String
    private let output: String
    private let format: String
    private let style: InkPDFWriter.Style
    private let page: Int
    private let isForced: Bool
    private let engines: EngineOptions
    private let limits: InkLimits
    private let password: String?
    private let passwordFile: String?
    /// Nil for ink.
    private let annotations: AnnotationConversion?

    init(_ options: ParsedOptions) throws {
        guard options.operands.count == 2 else { throw Self.wrongOperands(options) }
        (input, output) = (options.operands[0], options.operands[1])
        format = (output as NSString).pathExtension.lowercased()
        isForced = options.has("force")
        if let source = SourceRegistry.source(ofFile: input), ["html", "image", "sound"].contains(source.name) {
            let kind =
                source.name == "html" ? "an HTML or SVG document" : source.name == "image" ? "an image" : "a sound"
            throw UsageError(
                "convert reads ink and PDF documents, and \(input) is \(kind); use offstage render \(input) -o FILE")
        }
        annotations = try AnnotationConversion(input, output, isForced: isForced, options)
        guard annotations != nil || Self.formats.contains(format) else {
            throw UsageError(
                "convert writes .pdf, .svg, .inkml or .xopp, and annotations as .json or .xfdf, not \(output); "
                    + "for pixels, use offstage render")
        }
        if annotations == nil, options.has("annotations"), format != "pdf" {
            throw UsageError("--annotations requires a PDF output")
        }
        if options.has("page"), format != "svg" { throw UsageError("--page requires an SVG output") }
        style = options.has("annotations") ? .annotations : .flat
        page = try options.integer("page", in: 1...100_000) ?? 1
        engines = try EngineOptions(options)
        limits = try InkInspector.limits(options)
        password = try AnnotatedDocument.password(options)
        passwordFile = options.string("password-file")
        if options.has("password-file"), annotations == nil, (input as NSString).pathExtension.lowercased() != "pdf" {
            throw UsageError("--password-file requires a PDF document")
        }
    }

    /// A file after `--annotations` that is neither .json nor .xfdf counts as an operand.
    private static func wrongOperands(_ options: ParsedOptions) -> UsageError {
        if options.operands.count == 3, options.has("annotations"), options.string("annotations") == nil {
            return UsageError(
                "convert takes one input and one output, but 3 names were given; "
                    + "--annotations takes a .json or .xfdf file")
        }
        return UsageError("convert takes one input and one output; name both")
    }

    func run() throws -> ExitCode {
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            if let annotations { return try await annotations.run() }
            let engine = InkEngine(workers: 1, jail: engines.sandbox.jail, fresh: engines.fresh)
            do {
                let document = try InkDocument(contentsOf: input, limit: limits.budget.documentBytes)
                if document.data.starts(with: Data("%PDF-".utf8)) { return try await convertPDF(document, engine) }
                let (ink, warnings) = try await engine.load(document, limits: limits)
                for warning in warnings { Console.error("\(input): \(warning)") }
                try await write(ink, document, engine)
                return warnings.contains(where: \.code.isDefect) ? .someFailed : .success
            } catch let error as DrawingError {
                Console.error("\(input): \(error)")
                return .someFailed
            } catch let error as SourceFileError {
                Console.error("\(error)")
                return .someFailed
            }
        }
    }

    /// Convert only the ink: other programs draw it over the document's pages themselves.
    private func convertPDF(_ document: InkDocument, _ engine: InkEngine) async throws -> ExitCode {
        let ink = try await engine.load(
            annotationsOf: PageDocument(document.data), password: password, limits: limits)
        if ink.strokeCount == 0 {
            Console.error("\(input): the document has no Ink annotations; nothing was written")
            return .someFailed
        }
        Console.error("\(input): only the document's ink is converted, on white pages")
        try await write(ink, document, engine)
        return .success
    }

    /// The inputs of every conversion.
    private var inputs: [(path: String, what: String)] {
        [(input, "the file to convert")] + (passwordFile.map { [($0, "the password file")] } ?? [])
    }

    private func write(_ ink: Ink, _ document: InkDocument, _ engine: InkEngine) async throws {
        let file: InkFileBytes
        switch format {
        case "pdf":
            file = InkPDFWriter.file(
                ink, style: style, backdrops: try await backdrops(ink, document, engine),
                parts: try await engine.parts(of: ink, in: document, limits: limits))
        case "inkml": file = InkMLWriter.file(ink)
        case "xopp": file = XournalWriter.file(ink)
        default:
            guard page <= ink.pages.count else {
                throw UsageError(
                    "there is no page \(page); \(input) has \(ink.pages.count) page\(ink.pages.count == 1 ? "" : "s")")
            }
            let parts = try await engine.parts(of: ink, in: document, page: page - 1, limits: limits)
            file = InkSVGWriter.file(ink.pages[page - 1], parts: parts[page - 1] ?? InkPageParts())
        }
        let backgrounds = document.backgroundPaths(of: ink).map { ($0, "a background of \(input)") }
        try KeptInputs.check(output, inputs + backgrounds, isForced)
        try AtomicFile.update(output, to: file.data)
        for loss in file.losses { Console.error("\(output): \(loss.rawValue) cannot be stored in this format") }
    }

    /// Pictures of backgrounds that are in other files.
    private func backdrops(
        _ ink: Ink, _ document: InkDocument, _ engine: InkEngine
    ) async throws(DrawingError) -> [Int: Pixmap] {
        var pictures: [Int: Pixmap] = [:]
        for (index, page) in ink.pages.enumerated() {
            if case .paper = page.background { continue }
            var request = InkDrawing(document, page: index + 1)
            request.content = .plain
            request.scale = 2
            request.limits = limits
            let drawing = try await engine.draw(request)
            for warning in drawing.warnings { Console.error("\(input): \(warning)") }
            pictures[index] = drawing.pixmaps.first
        }
        return pictures
    }
}
