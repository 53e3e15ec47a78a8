/// The options of a command, or of a request: what is parsed and `--help` shows.
package struct OptionTable {
    package struct Option {
        /// Without the dashes.
        package var name: String
        package var letter: Character?
        /// What stands for the value in `--help`; nil for a switch.
        package var value: String?
        /// It may stand several times, with a value each.
        package var isRepeatable: Bool
        package var help: String

        package init(
            _ name: String, letter: Character? = nil, value: String? = nil, isRepeatable: Bool = false, help: String
        ) {
            precondition(value != nil || !isRepeatable, "a switch says nothing new the second time")
            self.name = name
            self.letter = letter
            self.value = value
            self.isRepeatable = isRepeatable
            self.help = help
        }
    }

    /// What follows the options in `--help`: `FILE…`; empty for nothing.
    package var operands: String
    package var summary: String
    package var options: [Option]

    package init(operands: String, summary: String, options: [Option]) {
        self.operands = operands
        self.summary = summary
        self.options = options
    }

    /// The command's own and those that every command has, without `--help`.
    package var all: [Option] { options + [Option("version", help: "Print the version and end")] }
}
