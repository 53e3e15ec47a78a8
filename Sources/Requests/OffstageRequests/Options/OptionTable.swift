/// The options of a command or of a request. The parser, `--help`, the man page, the completions and the schemas use
/// it.
package struct OptionTable {
    package struct Option {
        /// The name without dashes.
        package var name: String
        package var letter: Character?
        /// The value's name in `--help`; nil for a switch.
        package var value: String?
        /// True: the option may be given several times, with one value each.
        package var isRepeatable: Bool
        /// One sentence without its full stop.
        package var help: String
        /// The possible endings of values; empty for an option that always has a value. The value of an option with
        /// endings is optional: the option takes the next word only if that has one of the endings.
        package var valueEndings: [String]
        package var group = OptionGroup.other
        /// Reads the option's value as a source does, and throws if it is invalid. By default, every value is valid.
        package var check: @Sendable (ParsedOptions) throws(UsageError) -> Void

        package init(
            _ name: String, letter: Character? = nil, value: String? = nil, isRepeatable: Bool = false,
            valueEndings: [String] = [], help: String,
            check: @escaping @Sendable (ParsedOptions) throws(UsageError) -> Void = { _ in }
        ) {
            precondition(value != nil || !isRepeatable, "a switch cannot be repeatable")
            self.name = name
            self.letter = letter
            self.value = value
            self.isRepeatable = isRepeatable
            self.valueEndings = valueEndings
            self.help = help
            self.check = check
        }

        /// The value in `--help`: `=FILE`, `[=FILE]`, or nothing.
        package var shownValue: String {
            value.map { valueEndings.isEmpty ? "=\($0)" : "[=\($0)]" } ?? ""
        }

        /// The beginning of the help: as much of its first clause as fits.
        ///
        /// - Parameter room: the available characters.
        package func brief(in room: Int) -> String {
            let end = help.firstRange(of: /\ \(|;|:\ /)?.lowerBound ?? help.endIndex
            let clause = help[..<end]
            var brief = ""
            for part in clause.split(separator: ", ") {
                let longer = brief.isEmpty ? String(part) : "\(brief), \(part)"
                if longer.count > room { break }
                brief = longer
            }
            return brief.isEmpty ? clause.prefix(room - 1) + "…" : brief
        }
    }

    package struct Example {
        /// A sentence without its full stop.
        package var what: String
        /// The command line.
        package var line: String

        package init(_ what: String, _ line: String) {
            self.what = what
            self.line = line
        }
    }

    /// The operands after the options in `--help`: `FILE…`; may be empty.
    package var operands: String
    package var summary: String
    package var examples: [Example]
    /// The names of the most used options, most important first; empty for a short table, which needs no headings.
    package var common: [String]
    package var options: [Option]

    package init(
        operands: String, summary: String, examples: [Example] = [], common: [String] = [], options: [Option]
    ) {
        self.operands = operands
        self.summary = summary
        self.examples = examples
        self.common = common
        self.options = options
    }

    package func option(_ name: some StringProtocol) -> Option? { options.first { $0.name == name } }

    /// The command's own options and those of every command.
    package var all: [Option] {
        options + [
            Option("help", letter: "h", help: "Print this help"),
            Option("version", letter: "V", help: "Print the version"),
        ]
    }
}
