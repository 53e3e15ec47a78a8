import Foundation
import Offstage
import OffstageHTML

/// The options of a command line. The readers throw errors that name the invalid value and the valid ones.
package struct ParsedOptions: Sendable {
    /// The values by option name: one, several for a repeatable option, or none for a switch.
    package let values: [String: [String]]
    package let operands: [String]
    /// The location of each option from the user's settings, such as a line of a file. Options of the command line have
    /// none.
    package let origins: [String: String]

    package init(values: [String: [String]] = [:], operands: [String] = [], origins: [String: String] = [:]) {
        self.values = values
        self.operands = operands
        self.origins = origins
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    package func string(_ name: String) -> String? { values[name]?.first }

    /// The values of a repeatable option, in their order.
    package func strings(_ name: String) -> [String] { values[name] ?? [] }

    /// These options, overridden by others; nil removes an option.
    package func overlaid(with others: [String: [String]?]) -> ParsedOptions {
        var values = values
        for (name, value) in others { values[name] = value }
        return ParsedOptions(
            values: values, operands: operands, origins: origins.filter { !others.keys.contains($0.key) })
    }

    /// These options, with defaults for those that are missing.
    package func with(defaults: [String: String]) -> ParsedOptions {
        ParsedOptions(
            values: values.merging(defaults.mapValues { [$0] }) { own, _ in own }, operands: operands, origins: origins)
    }

    /// - Parameter word: a word that is also valid, for the message.
    package func integer(
        _ name: String, in range: ClosedRange<Int>, or word: String? = nil
    ) throws(UsageError) -> Int? {
        guard let text = string(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let numbers = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(name) takes \(numbers)\(word.map { ", or \($0)" } ?? ""), not '\(text.excerpt)'")
        }
        return number
    }

    /// - Parameter limit: the maximum. Values must be greater than 0.
    package func positive(_ name: String, upTo limit: Double) throws(UsageError) -> Double? {
        guard let text = string(name) else { return nil }
        guard let number = Double(text), number > 0, number <= limit else {
            throw UsageError("--\(name) takes a number of more than 0 up to \(Int(limit)), not '\(text.excerpt)'")
        }
        return number
    }

    package func number(_ name: String, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = string(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let bounds = [range.lowerBound, range.upperBound].map { String(format: "%g", $0) }
            throw UsageError("--\(name) takes a number from \(bounds[0]) to \(bounds[1]), not '\(text.excerpt)'")
        }
        return number
    }

    /// One of the raw values of the type.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(_ name: String) throws(UsageError) -> Choice? {
        guard let text = string(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw UsageError(
                "--\(name) takes \(Array(Choice.allCases.map(\.rawValue)).formatted("or")), not '\(text.excerpt)'")
        }
        return choice
    }

    /// A list of choices with commas between them, without repetitions; nil if the option is not given.
    package func choices<Choice: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String
    ) throws(UsageError) -> [Choice]? {
        guard let text = string(name) else { return nil }
        var all: [Choice] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let choice = Choice(rawValue: String(word)), !all.contains(choice) else {
                throw UsageError(
                    "--\(name) takes one or more of \(Array(Choice.allCases.map(\.rawValue)).formatted("and")), "
                        + "separated by commas, each only once, not '\(text.excerpt)'")
            }
            all.append(choice)
        }
        return all
    }
}
