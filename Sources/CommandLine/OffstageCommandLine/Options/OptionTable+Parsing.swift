import Foundation
import OffstageRequests

extension OptionTable {
    enum Outcome {
        case run(ParsedOptions)
        /// Brief, for `-h`.
        case help(isBrief: Bool)
        case version
    }

    /// Parses the words after the command. Options and operands may be mixed; `--` ends the options.
    ///
    /// - Parameter command: the name of the command, for messages.
    @MainActor func parse(_ arguments: [String], command: String) throws(UsageError) -> Outcome {
        var parser = OptionParser(table: self, command: command, rest: arguments[...])
        return try parser.parse()
    }
}

/// Parses `--name=VALUE`, `--name VALUE`, `-n VALUE`, `-nVALUE`, and switches that share a dash: `-qj2`.
@MainActor
private struct OptionParser {
    let table: OptionTable
    let command: String
    var rest: ArraySlice<String>
    private var values: [String: [String]] = [:]
    private var operands: [String] = []
    private var asked: OptionTable.Outcome?

    init(table: OptionTable, command: String, rest: ArraySlice<String>) {
        self.table = table
        self.command = command
        self.rest = rest
    }

    mutating func parse() throws(UsageError) -> OptionTable.Outcome {
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            if word.hasPrefix("--") {
                try takeName(word)
            } else if word.hasPrefix("-"), word != "-" {
                try takeLetters(word)
            } else {
                operands.append(word)
            }
            // `--help` works even if errors follow it.
            if let asked { return asked }
        }
        return .run(ParsedOptions(values: values, operands: operands))
    }

    private mutating func takeName(_ word: String) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = table.all.first(where: { $0.name == parts[0] }) else { throw unknown("--\(parts[0])") }
        if option.value == nil {
            if parts.count == 2 {
                throw UsageError(
                    "--\(option.name) takes no value, and there is '=\(parts[1])'; write --\(option.name) alone to turn it on, "
                        + "or leave it out")
            }
            set(option)
        } else if parts.count == 1, !option.valueEndings.isEmpty, !nextIsValue(of: option) {
            values[option.name] = []
        } else {
            try set(option, to: parts.count == 2 ? String(parts[1]) : rest.popFirst(), word)
        }
    }

    private func nextIsValue(of option: OptionTable.Option) -> Bool {
        guard let next = rest.first?.lowercased() else { return false }
        return option.valueEndings.contains { next.hasSuffix($0) }
    }

    private mutating func takeLetters(_ word: String) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = table.all.first(where: { $0.letter == letter }) else {
                throw unknown(letter, of: word)
            }
            if option.value == nil {
                set(option, isLetter: true)
            } else {
                try set(option, to: letters.isEmpty ? rest.popFirst() : String(letters), "-\(letter)")
                return
            }
        }
    }

    /// Sets a switch.
    private mutating func set(_ option: OptionTable.Option, isLetter: Bool = false) {
        switch option.name {
        case "help": asked = .help(isBrief: isLetter)
        case "version": asked = .version
        default: values[option.name] = []
        }
    }

    private mutating func set(_ option: OptionTable.Option, to value: String?, _ word: String) throws(UsageError) {
        guard let value else {
            throw UsageError("\(word) needs a value, \(option.value ?? ""); see `offstage \(command) --help`")
        }
        values[option.name] = (option.isRepeatable ? values[option.name] ?? [] : []) + [value]
    }

    private func unknown(_ option: String) -> UsageError {
        Suggestion.error(
            "unknown option \(option)", for: option, among: names,
            otherwise: others(option) ?? "see `offstage \(command) --help`")
    }

    private var names: [String] { table.all.map { "--\($0.name)" } }

    /// Names the commands that have the option.
    private func others(_ option: String) -> String? {
        let holders = CommandLineTool.commands.filter { $0.options.option(option.dropFirst(2)) != nil }
        return holders.isEmpty ? nil : "it is an option of " + holders.map { "`offstage \($0.name)`" }.formatted("and")
    }

    /// - Parameter word: the letters after the dash; `-width` probably means `--width`.
    private func unknown(_ letter: Character, of word: String) -> UsageError {
        let name = "-" + word.prefix { $0 != "=" }
        if table.all.contains(where: { "--\($0.name)" == name }) {
            return UsageError("unknown option \(name.dropFirst()); did you mean \(name)?")
        }
        if access(word, F_OK) == 0 { return UsageError("\(word) is read as options; for the file, write ./\(word)") }
        let tool = word.count == 2 ? OtherTools.letters[letter] : String(word.dropFirst())
        if let advice = tool.flatMap({ Suggestion.advice(for: $0, among: names) }) {
            return UsageError("unknown option \(word)\(advice)")
        }
        let other = table.all.compactMap(\.letter).first { $0.lowercased() == letter.lowercased() }
        return UsageError(
            "unknown option -\(letter); " + (other.map { "did you mean -\($0)?" } ?? "see `offstage \(command) --help`")
        )
    }
}
