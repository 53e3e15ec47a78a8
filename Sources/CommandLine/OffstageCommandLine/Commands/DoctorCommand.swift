import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageShared

/// `offstage doctor`: reports whether this machine can draw, and what to install or set.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Check whether this machine can render, and what it lacks"

    static let options = OptionTable(
        operands: "",
        summary: """
            Checks the display, the engine, the fonts of each script, the sandbox, the folder for temporary files
            and limits, and says what to install or set. The exit code is 0 if pictures can be rendered, else 3.
            With --shared, it compares this machine with those that share the database. It also lists the options
            that the user's settings file and variables set.
            """,
        options: [
            EngineOptions.fonts, SharedOptions.shared, .init("json", help: "Print one JSON object on standard output"),
        ])

    private let fonts: String?
    private let isJSON: Bool
    private let shared: SharedAddress?

    init(_ options: ParsedOptions) throws {
        if let operand = options.operands.first { throw UsageError("doctor takes only options, not '\(operand)'") }
        fonts = options.string("fonts")
        isJSON = options.has("json")
        shared = try SharedOptions.address(options, "shared")
    }

    func run() throws -> ExitCode {
        try PrivateFonts.apply(fonts)
        defer { PrivateFonts.discard() }
        defer { ChildProcesses.endAll() }
        let settings = try SettingsChecks.all()
        let diagnosis = try MainLoop.run {
            let drawing = await DrawingChecks.all()
            var checks = drawing.checks + FontChecks.all() + (await SystemChecks.all(sandbox: drawing.sandbox))
            if let shared { checks += await SharedChecks.all(shared) }
            checks += settings
            return Diagnosis(checks)
        }
        try Console.print(isJSON ? diagnosis.json : diagnosis.text(Terminal.output))
        return diagnosis.works ? .success : .machineLacks
    }
}
