import Offstage
import OffstageRequests
import OffstageWebKit

/// `offstage doctor`: reports whether this machine can draw, and what to install or set.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Check whether this machine can render, and what it lacks"

    static let options = OptionTable(
        operands: "",
        summary: """
            Checks the display, the engine, the fonts of each script, the sandbox, the folder for temporary files
            and limits, and says what to install or set. The exit code is 0 if pictures can be rendered, else 3.
            """,
        options: [EngineOptions.fonts, .init("json", help: "Print one JSON object on standard output")])

    private let fonts: String?
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first { throw UsageError("doctor takes no '\(operand)', only options") }
        fonts = options.string("fonts")
        isJSON = options.has("json")
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        let diagnosis = try MainLoop.run {
            return Diagnosis(await DrawingChecks.all() + FontChecks.all() + (await SystemChecks.all()))
        }
        try Console.print(isJSON ? diagnosis.json : diagnosis.text)
        return diagnosis.works ? .success : .machineLacks
    }
}
