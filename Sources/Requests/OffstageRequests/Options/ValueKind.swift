import Foundation

/// The JSON type of an option's value, for a row's key and the schema of rows. Like the shells' completion, it is
/// derived from the name of the value in `--help`, so a new line in an option table also adds a key for rows.
package struct ValueKind {
    package enum Number { case whole, any }

    /// An option without a value.
    package let isSwitch: Bool
    /// The option is repeatable.
    package let isList: Bool
    package var number: Number?
    /// Any text.
    package var isText = false
    /// The text is a file or folder.
    package var isPath = false
    /// Literal words that are valid: `fit` of `PX|fit`.
    package var words: [String] = []

    package init(_ option: OptionTable.Option) {
        isSwitch = option.value == nil
        isList = option.isRepeatable
        for part in option.value?.split(separator: "|") ?? [] {
            switch part {
            case "PX": number = .whole
            case "N", "SECONDS": number = .any
            case "FILE", "FOLDER": isPath = true
            case _ where part.first!.isLowercase: words.append(String(part))
            default: isText = true
            }
        }
    }

    /// A description of the valid values, for messages.
    package var description: String {
        if isSwitch { return "true or false" }
        var kinds: [String] = []
        switch number {
        case .whole: kinds.append("a whole number")
        case .any: kinds.append("a number")
        case nil: break
        }
        if isText || isPath { kinds.append("text") }
        kinds += words.map { "\"\($0)\"" }
        return kinds.formatted("or") + (isList ? ", or a list of it" : "")
    }

    /// The files and folders that values of the option name.
    package func paths(among values: [String]) -> [String] { isPath ? values.filter { !words.contains($0) } : [] }

    /// Converts a JSON value to the values of a command line: empty for a switch that is on, nil for one that is off,
    /// and nil for null, which removes an option.
    ///
    /// - Parameter folder: the folder for relative paths.
    /// - Throws: `Mismatch`.
    package func texts(of value: JSONValue, pathsFrom folder: String?) throws(Mismatch) -> [String]? {
        if value == .null { return nil }
        if isSwitch {
            guard case .bool(let isSet) = value else { throw Mismatch(value: value) }
            return isSet ? [] : nil
        }
        guard isList, case .list(let values) = value else { return [try text(of: value, pathsFrom: folder)] }
        var texts: [String] = []
        for value in values { texts.append(try text(of: value, pathsFrom: folder)) }
        return texts.isEmpty ? nil : texts
    }

    /// The JSON value of a text from a source that has only text. A text that cannot be converted stays a text, and is
    /// rejected later.
    package func value(ofText text: String) -> JSONValue {
        if isSwitch { return JSONValue(boolText: text) ?? .text(text) }
        if words.contains(text) || number == nil { return .text(text) }
        return JSONValue(numberText: text) ?? .text(text)
    }

    /// The value has the wrong type.
    package struct Mismatch: Error {
        /// The value, or the wrong element of a list.
        package var value: JSONValue
    }

    private func text(of value: JSONValue, pathsFrom folder: String?) throws(Mismatch) -> String {
        switch value {
        // A C string would end at the NUL.
        case .text(let text) where text.utf8.contains(0): throw Mismatch(value: value)
        case .text(let text) where words.contains(text): return text
        case .text(let text) where isPath && !text.hasPrefix("/") && !text.isEmpty:
            return folder.map { ($0 as NSString).appendingPathComponent(text) } ?? text
        case .text(let text) where isText || isPath: return text
        case .integer(let number) where self.number != nil: return "\(number)"
        case .number(let number) where self.number == .any: return "\(number)"
        default: throw Mismatch(value: value)
        }
    }
}

extension OptionTable.Option {
    package var kind: ValueKind { ValueKind(self) }
}
