import OffstageRequests

/// offstage(1) in the man macros, generated from the tables of `--help`.
@MainActor
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH OFFSTAGE 1 \"\(CommandLineTool.date)\" \"offstage \(CommandLineTool.version)\" \"User Commands\"",
            // A line with one long word cannot be adjusted, and a hyphenated option cannot be found by searching.
            ".ad l", ".nh", ".SH NAME", "offstage \\- \(purpose)",
            ".SH SYNOPSIS",
        ]
        lines += CommandLineTool.commands.map(synopsis).joined(separator: [".br"])
        lines += [".SH DESCRIPTION", escaped(CommandLineTool.summary)]
        lines.append(
            "WebKitGTK draws HTML. Offstage starts a hidden display for it, and stops the display at the end.")
        lines.append(".SH COMMANDS")
        for command in CommandLineTool.commands { lines += section(command) }
        lines.append(".SH OPTIONS")
        lines.append("These options are the same for several commands; each command lists the ones that it has.")
        for part in sharedSections { lines += list(part.title, part.options) }
        lines.append(".SH EXIT STATUS")
        for code in ExitCode.allCases { lines += entry(tag: bold("\(code.rawValue)"), code.meaning) }
        lines.append(".SH ENVIRONMENT")
        for fact in ProgramFacts.variables { lines += entry(tag: bold(fact.name), fact.meaning) }
        lines.append(".SH FILES")
        for fact in ProgramFacts.files { lines += entry(tag: italic(fact.name), fact.meaning) }
        lines.append(".SH EXAMPLES")
        let examples = CommandLineTool.commands.flatMap { $0.options.examples }
        lines += examples.map { example($0.what + ($0.what.hasSuffix("?") ? "" : ":"), $0.line) }.joined(separator: [
            ".PP"
        ])
        lines += [".SH SEE ALSO", seeAlso]
        return lines.joined(separator: "\n")
    }

    /// The summary as a phrase: `render HTML, images …`.
    private static var purpose: String {
        let summary = CommandLineTool.summary
        return escaped("render" + summary.dropFirst("Renders".count).dropLast())
    }

    private static let seeAlso = [("fonts\\-conf", 5), ("pdftocairo", 1), ("systemd.socket", 5), ("Xvfb", 1)]
        .map { "\\fB\($0.0)\\fR(\($0.1))" }.joined(separator: ",\n")

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
        var shared: [String] = []
        for part in command.options.sections {
            let own = part.options.filter { !isShared($0) }
            shared += part.options.filter(isShared).map { bold("--\($0.name)") }
            if !own.isEmpty { lines += list(part.title, own) }
        }
        if !shared.isEmpty { lines += [".PP", "Described under OPTIONS: " + shared.joined(separator: ", ") + "."] }
        return lines
    }

    private static func list(_ title: String, _ options: [OptionTable.Option]) -> [String] {
        var lines = [".PP", bold(title)]
        for option in options {
            let plain = option.value.map { "=" + italic($0) } ?? ""
            let value = option.valueEndings.isEmpty ? plain : "[\(plain)]"
            let letter = option.letter.map { bold("-\($0)") + ", " } ?? ""
            lines += entry(tag: letter + bold("--\(option.name)") + value, option.help)
        }
        return lines
    }

    /// Options that several commands share with the same description, listed once: those of `render` first, under its
    /// headings.
    private static var sharedSections: [(title: String, options: [OptionTable.Option])] {
        var seen: Set<String> = []
        let all = CommandLineTool.commands.flatMap { $0.options.sections }.flatMap { part in
            part.options.filter { isShared($0) && seen.insert(description($0)).inserted }.map { (part.title, $0) }
        }
        var titles: [String] = []
        for (title, _) in all where !titles.contains(title) { titles.append(title) }
        return titles.map { title in (title, all.filter { $0.0 == title }.map { $0.1 }) }
    }

    private static func isShared(_ option: OptionTable.Option) -> Bool { uses[description(option)] ?? 0 > 1 }

    /// The number of commands with an option of the same description.
    private static let uses = Dictionary(
        CommandLineTool.commands.flatMap { $0.options.sections.flatMap(\.options) }.map { (description($0), 1) },
        uniquingKeysWith: +)

    private static func description(_ option: OptionTable.Option) -> String {
        "\(option.letter.map(String.init) ?? "") \(option.name)\(option.shownValue) \(option.help)"
    }

    /// A paragraph with a hanging indent.
    private static func entry(tag: String, _ text: String) -> [String] { [".TP", tag, escaped(text)] }

    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    /// A line may break after each choice.
    private static func italic(_ text: String) -> String {
        "\\fI\(escaped(text).replacing("|", with: "|\\:"))\\fR"
    }

    /// A plain minus would become a hyphen, which cannot be searched for or pasted; quotes would change in the same
    /// way. A line that starts with a full stop or an apostrophe would be a macro.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix(".") ? "\\&" + $0 : String($0)
        }.joined(separator: "\n")
    }
}
