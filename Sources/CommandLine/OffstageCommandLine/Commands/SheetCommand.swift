import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests

/// `offstage sheet`: draws a folder's pictures on one sheet, with their names.
struct SheetCommand: Command {
    static let name = "sheet"
    static let summary = "Put a folder's pictures on one contact sheet"

    static let options = OptionTable(
        operands: "FOLDER",
        summary: "Renders a contact sheet: the PNG pictures below a folder, with their names.",
        examples: [.init("A sheet of the pictures below out", "offstage sheet out -o sheet.png")],
        options: [
            .init(
                "output", letter: "o", value: "FILE",
                help: "Write the sheet to FILE: .png, .jpg, .webp, .raw, .pdf or .svg"),
            .init(
                "columns", value: "N", help: "Put N pictures in a row (default: the sheet is about as high as wide)"),
            .init("scale", value: "N", help: "Render N device px for each CSS px, 0.25 to 3 (default 1)"),
            .init(
                "timeout", value: "SECONDS",
                help: "Wait this long for the pictures (default 0.2 for each picture, at least 60)"),
            .init("grace", value: "SECONDS", help: "Wait this long for the engine after the timeout (default 60)"),
            EngineOptions.fonts,
            .init("quiet", letter: "q", help: "Print errors only"),
        ])

    private let folder: String
    private let output: String
    private let plan: OutputPlan
    private let settings: Settings
    private let columns: Int?
    private let scale: Double
    private let timeout: Double?
    private let grace: Double?
    private let fonts: String?
    private let isQuiet: Bool

    init(_ options: ParsedOptions) throws {
        guard options.operands.count == 1 else { throw UsageError("name one folder of pictures") }
        guard let output = options.string("output") else { throw UsageError("no output given; use -o FILE") }
        if output.isEmpty || output == "-" {
            throw UsageError("sheet writes a file; name one, such as -o sheet.png")
        }
        folder = options.operands[0]
        self.output = output
        plan = OutputPlan(.file(output))
        settings = try Settings(ParsedOptions(), file: output)
        columns = try options.integer("columns", in: 1...100)
        scale = try options.number("scale", in: 0.25...3) ?? 1
        timeout = try options.positive("timeout", upTo: 86_400)
        grace = try options.positive("grace", upTo: 86_400)
        fonts = options.string("fonts")
        isQuiet = options.has("quiet")
    }

    func run() throws -> ExitCode {
        try plan.check([Job(.standardInput, settings)])
        let sheet = try ContactSheet(folder: folder, leavingOut: output, columns: columns)
        var snippet = Snippet(sheet.html, identifier: output, width: sheet.width, scale: scale)
        snippet.geometry.formatLimit = settings.variants[0].limit
        snippet.base = BaseFolder(folder)
        snippet.background = Color(red: 0.945, green: 0.95, blue: 0.96)
        // The sheet's document is our own and contains many pictures, so the limits for untrusted documents do not
        // apply.
        let count = sheet.pictures.count
        snippet.timeout = timeout ?? max(60, Double(count) / 5)
        snippet.limits.grace = grace ?? 60
        snippet.limits.elements = max(snippet.limits.elements, 8 * count)
        snippet.limits.resources = max(snippet.limits.resources, 2 * count)
        snippet.limits.resourceBytes = max(snippet.limits.resourceBytes, sheet.bytes)
        snippet.limits.imagePixels = max(snippet.limits.imagePixels, sheet.pixels)
        try PrivateFonts.apply(fonts)
        defer { PrivateFonts.discard() }
        try draw(snippet)
        if !isQuiet { Console.line("\(count) \(count == 1 ? "picture" : "pictures") on \(output)") }
        return .success
    }

    private func draw(_ snippet: Snippet) throws {
        let (output, variants) = (output, settings.variants)
        defer { ChildProcesses.endAll() }
        try MainLoop.run {
            let renderer = Renderer(engine: HTMLEngine())
            do {
                let file = try await renderer.files(for: snippet, as: variants)[0].files[0]
                let data = await file.data() ?? Data()
                try await Task.detached { try AtomicFile.update(output, to: data) }.value
            } catch let error as RenderError {
                if case .unavailable(let reason) = error.reason { throw reason }
                throw error
            }
            await renderer.finish()
        }
    }
}
