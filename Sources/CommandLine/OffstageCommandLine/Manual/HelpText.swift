import OffstageRequests

/// The texts that `--help`, `-h` and `offstage help` print.
@MainActor
enum HelpText {
    static var program: String {
        """
        Usage: offstage COMMAND [OPTION…]

        \(CommandLineTool.summary)

        Examples:
        \(list(RenderCommand.options.examples))

        \(commands)

        `offstage help COMMAND` describes a command and its options.
        `offstage help render \(sourceNames)` lists the options of one source.
        `offstage help render --width` explains one option.
        `offstage --version` prints the version, `offstage --print-man` the man page.
        `offstage --print-completion \(CommandLineTool.shells.joined(separator: "|"))` prints a shell's completion.
        `offstage --print-schema \(CommandLineTool.schemas.joined(separator: "|"))` prints the JSON Schema of a
        manifest's rows, of the lines of `offstage pipe`, or of an annotation file.

        Exit codes:
        \(ExitCode.allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
        """
    }

    /// One screen of a small terminal.
    static var brief: String {
        """
        Usage: offstage COMMAND [OPTION…]

        \(CommandLineTool.summary)

        \(commands)

        `offstage COMMAND -h` lists the most used options of a command, --help all.
        `offstage help render \(sourceNames)` lists those of a source.
        `offstage --help` shows examples; `offstage --print-man` prints the man page.
        """
    }

    private static var commands: String {
        "Commands:\n"
            + CommandLineTool.commands.map { "  \($0.name.padded(to: 15))\($0.summary)" }.joined(separator: "\n")
    }

    private static var sourceNames: String { SourceRegistry.all.map(\.name).joined(separator: "|") }

    static func of(_ command: any Command.Type) -> String {
        let table = command.options
        var parts = [
            "Usage: " + usage(command), filled(table.summary.replacing("\n", with: " "), margin: 0, width: width),
        ]
        if !table.examples.isEmpty { parts.append("Examples:\n" + list(table.examples)) }
        parts += table.sections.map(text)
        if hasSources(command) {
            parts.append(
                "`offstage help \(command.name) \(sourceNames)` lists the options of one source,\n"
                    + "`offstage help \(command.name) --width` explains one option.")
        }
        return parts.joined(separator: "\n\n")
    }

    /// One screen of a small terminal: the most used options, one per line.
    static func brief(of command: any Command.Type) -> String {
        let table = command.options
        let shown =
            table.common.isEmpty
            ? (table.options.count > 10 ? table.options : table.all)
            : table.common.compactMap { table.option($0) }
        var parts = [
            "Usage: " + filled(usage(command), margin: 7, width: screen.width - 7), command.summary + ".",
            (table.common.isEmpty ? "Options:\n" : "Most used options:\n")
                + shown.map(briefLine).joined(separator: "\n"),
        ]
        var lines = [
            "`offstage \(command.name) --help` has all options\(table.examples.isEmpty ? "" : " and examples")."
        ]
        if hasSources(command) {
            lines = [
                "`offstage \(command.name) --help` has all options, by source, and examples.",
                "`offstage help \(command.name) \(sourceNames)` has those of a source.",
                "`offstage help \(command.name) --width` explains one option.",
            ]
        }
        parts.append(lines.joined(separator: "\n"))
        if let example = table.examples.first.map({ list([$0]) }),
            example.split(separator: "\n").allSatisfy({ $0.count <= screen.width })
        {
            let longer = Array(parts.prefix(2)) + ["Example:\n" + example] + parts.dropFirst(2)
            if longer.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false).count
                < screen.height
            {
                parts = longer
            }
        }
        return parts.joined(separator: "\n\n")
    }

    /// The size of a small terminal in characters and lines; the prompt takes one line.
    private static let screen = (width: 80, height: 24)

    private static func usage(_ command: any Command.Type) -> String {
        let operands = command.options.operands
        return "offstage \(command.name) [OPTION…]" + (operands.isEmpty ? "" : " \(operands)")
    }

    static func hasSources(_ command: any Command.Type) -> Bool {
        !command.options.common.isEmpty && !command.options.sections(for: SourceRegistry.first).isEmpty
    }

    /// The source that a word means, by its name or by an extension of its files: `pdf`, `PDF`, `.svg`.
    static func source(_ word: String) -> RegisteredSource? {
        let word = word.lowercased()
        return SourceRegistry.all.first { $0.name == word }
            ?? SourceRegistry.source(ofFile: "x." + word.drop { $0 == "." })
    }

    /// The lines about one option of a command, or about the options of a source.
    ///
    /// - Parameter word: the option's name, with or without dashes and a value, or its letter; or a source.
    /// - Throws: an error that suggests other words.
    static func of(_ command: any Command.Type, topic word: String) throws(UsageError) -> String {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        let all = command.options.all
        let option = all.first { $0.name == name || $0.letter.map { String($0) == name } ?? false }
        if hasSources(command), !word.hasPrefix("-"), let source = source(word), option == nil || source.name == word {
            return text(of: source, command)
        }
        if let option { return line(option) }
        let sources = hasSources(command) ? SourceRegistry.all.map(\.name) : []
        throw Suggestion.error(
            "offstage \(command.name) has no option '\(word)'", for: word.hasPrefix("-") ? "--\(name)" : String(name),
            among: all.map { word.hasPrefix("-") ? "--\($0.name)" : $0.name } + sources,
            otherwise: "see `offstage help \(command.name)`")
    }

    private static func text(
        of source: RegisteredSource, _ command: any Command.Type
    ) -> String {
        let sections = command.options.sections(for: source)
        let files = source.fileExtensions.map { ".\($0)" }.joined(separator: " ")
        let head = "Options of `offstage \(command.name)` for \(source.title): " + files
        let end = "`offstage \(command.name) --help` lists the options of a run and of other sources, too."
        return ([filled(head, margin: 2, width: width)] + sections.map(text) + [end]).joined(separator: "\n\n")
    }

    private static func text(_ section: OptionTable.Section) -> String {
        "\(section.title):\n" + section.options.map(line).joined(separator: "\n")
    }

    private static func list(_ examples: [OptionTable.Example]) -> String {
        examples.map { "  # \($0.what)\n  \($0.line)" }.joined(separator: "\n")
    }

    /// The column in which the texts begin.
    private static let column = 31
    /// Characters per line, for a terminal of 100.
    private static let width = 99

    private static func line(_ option: OptionTable.Option) -> String {
        let head = head(option)
        let text = filled(option.help, margin: column, width: width - column)
        // A long name gets a line of its own.
        let isLong = head.count + 2 > column
        return (isLong ? head + "\n" + String(repeating: " ", count: column) : head.padded(to: column)) + text
    }

    private static func briefLine(_ option: OptionTable.Option) -> String {
        let head = head(option)
        let shown = head.count + 1 > column ? head.prefix(column - 2) + "…" : head
        return shown.padded(to: column) + option.brief(in: screen.width - column)
    }

    private static func head(_ option: OptionTable.Option) -> String {
        "  " + (option.letter.map { "-\($0), " } ?? "    ") + "--\(option.name)" + option.shownValue
    }

    /// Breaks a text at spaces.
    private static func filled(_ text: String, margin: Int, width: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > width { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: margin))
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
