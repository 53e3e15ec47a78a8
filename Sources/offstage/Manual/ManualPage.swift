/// offstage(1) in the man macros, from the tables that `--help` shows: nothing is written twice.
@MainActor
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH OFFSTAGE 1 \"\(CommandLineTool.date)\" \"offstage \(CommandLineTool.version)\" \"User Commands\"",
            ".SH NAME", "offstage \\- draw HTML snippets into images, off screen",
            ".SH SYNOPSIS",
        ]
        lines += CommandLineTool.commands.map(synopsis).joined(separator: [".br"])
        lines += [".SH DESCRIPTION", escaped(CommandLineTool.summary)]
        lines.append("The engine is WebKitGTK; the display is the program's own, hidden, and ends with it.")
        lines.append(".SH COMMANDS")
        for command in CommandLineTool.commands { lines += section(command) }
        lines.append(".SH EXIT STATUS")
        for code in ExitCode.allCases { lines += entry(tag: bold("\(code.rawValue)"), code.meaning) }
        lines.append(".SH ENVIRONMENT")
        lines += entry(tag: bold("TMPDIR"), "A folder for temporary files; default /tmp.")
        lines.append(".SH EXAMPLES")
        lines += examples.map(example).joined(separator: [".PP"])
        return lines.joined(separator: "\n")
    }

    private static let examples = [
        ("A folder of HTML files, two device px to a CSS px:", "offstage render rows --out out --scale 2"),
        ("One picture from standard input:", "echo '<h1>Hello</h1>' | offstage render - -o hello.png"),
        (
            "JPEG, with a thumbnail beside each picture:",
            "offstage render rows --out out --format jpeg:quality=80 --also thumb:120x120"
        ),
        (
            "The rows of a file, a JSON object a line, and a page to look through them:",
            "offstage render --manifest rows.jsonl --out out --html out/index.html"
        ),
    ]

    private static func synopsis(_ command: any Command.Type) -> [String] {
        let operands = command.options.operands
        let words = [bold("offstage"), bold(command.name), "[\(italic("OPTION"))…]"]
        return [(words + (operands.isEmpty ? [] : [escaped(operands)])).joined(separator: " ")]
    }

    private static func example(_ what: String, _ line: String) -> [String] {
        [escaped(what), ".PP", ".RS 4", ".nf", escaped(line), ".fi", ".RE"]
    }

    private static func section(_ command: any Command.Type) -> [String] {
        var lines = [".SS \(command.name)", escaped(command.options.summary)]
        for option in command.options.all {
            let value = option.value.map { "=" + italic($0) } ?? ""
            let letter = option.letter.map { bold("-\($0)") + ", " } ?? ""
            lines += entry(tag: letter + bold("--\(option.name)") + value, option.help)
        }
        return lines
    }

    /// A hanging paragraph.
    private static func entry(tag: String, _ text: String) -> [String] { [".TP", tag, escaped(text)] }

    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// A plain minus would become a hyphen, which cannot be searched or pasted; so would the quotes. A line that starts with a
    /// full stop or an apostrophe would be a macro.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix(".") ? "\\&" + $0 : String($0)
        }.joined(separator: "\n")
    }
}
