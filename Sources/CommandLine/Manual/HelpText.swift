import OffstageRequests

/// The text that `--help` prints.
@MainActor
enum HelpText {
    static var program: String {
        """
        Usage: offstage COMMAND [OPTION…]

        \(CommandLineTool.summary)

        Examples:
        \(list(RenderCommand.options.examples))

        Commands:
        \(CommandLineTool.commands.map { "  \($0.name.padded(to: 15))\($0.summary)" }.joined(separator: "\n"))

        `offstage help COMMAND` describes a command and its options.
        `offstage --version` prints the version, `offstage --print-man` the man page.
        `offstage --print-completion bash|zsh` prints a shell's completion.
        `offstage --print-schema manifest|request|command|result|annotations` prints the JSON Schema of a
        manifest's rows, of the lines of `offstage pipe`, or of a file of annotations.

        Exit codes:
        \(ExitCode.allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
        """
    }

    static func of(_ command: any Command.Type) -> String {
        let table = command.options
        var parts = [
            "Usage: offstage \(command.name) [OPTION…]" + (table.operands.isEmpty ? "" : " \(table.operands)"),
            table.summary,
        ]
        if !table.examples.isEmpty { parts.append("Examples:\n" + list(table.examples)) }
        for section in table.sections {
            parts.append("\(section.title):\n" + section.options.map(line).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// The lines about one option of a command.
    ///
    /// - Parameter word: its name, with or without dashes and a value, or its letter.
    /// - Throws: an error that suggests other options.
    static func of(_ command: any Command.Type, option word: String) throws(UsageError) -> String {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        let all = command.options.all
        guard let option = all.first(where: { $0.name == name || $0.letter.map { String($0) == name } ?? false }) else {
            throw Suggestion.error(
                "offstage \(command.name) has no option '\(word)'", for: "--\(name)", among: all.map { "--\($0.name)" },
                otherwise: "see `offstage help \(command.name)`")
        }
        return line(option)
    }

    private static func list(_ examples: [OptionTable.Example]) -> String {
        examples.map { "  # \($0.what)\n  \($0.line)" }.joined(separator: "\n")
    }

    /// The column in which the texts begin.
    private static let column = 31
    /// Characters per line, for a terminal of 100.
    private static let width = 99

    private static func line(_ option: OptionTable.Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        let head = "  \(letter)--\(option.name)" + option.shownValue
        var lines = [""]
        for word in option.help.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > width - column { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        // A long name has a line of its own.
        let isLong = head.count + 2 > column
        let margin = String(repeating: " ", count: column)
        return (isLong ? head + "\n" + margin : head.padded(to: column)) + lines.joined(separator: "\n" + margin)
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
