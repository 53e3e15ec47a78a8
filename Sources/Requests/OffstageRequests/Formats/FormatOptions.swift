import Foundation

/// The options of a format, as in `--format` and `--also` after the format's name: `quality=80,subsampling=4:2:0`.
package struct FormatOptions {
    let title: String
    private let values: [String: Value]

    private enum Value {
        /// A key without a value.
        case alone
        case text(String)
    }

    /// - Parameters:
    ///   - text: the text after the format's name and its colon; nil for the defaults.
    ///   - title: the option and the format for messages: `--also jpeg`.
    init(_ text: Substring?, title: String, keys: [String]) throws(UsageError) {
        self.title = title
        var values: [String: Value] = [:]
        for part in text.map(Self.parts) ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard keys.contains(pair[0]) else {
                if keys.isEmpty { throw UsageError("\(title) takes no options; leave out '\(pair[0].excerpt)'") }
                throw UsageError("\(title) takes \(keys.formatted("and")), not '\(pair[0].excerpt)'")
            }
            let value = pair.count == 1 ? Value.alone : .text(pair[1])
            if values.updateValue(value, forKey: pair[0]) != nil {
                throw UsageError("\(title): \(pair[0]) is given twice")
            }
        }
        self.values = values
    }

    /// Commas separate options, except those inside the parentheses of a colour.
    private static func parts(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    func has(_ key: String) throws(UsageError) -> Bool {
        if case .text(let text) = values[key] {
            throw UsageError("\(title): \(key) takes no value, not '=\(text.excerpt)'")
        }
        return values[key] != nil
    }

    func text(_ key: String) throws(UsageError) -> String? {
        switch values[key] {
        case nil: nil
        case .alone: throw UsageError("\(title): \(key) needs a value: \(key)=…")
        case .text(let text): text
        }
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = try text(key) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)", text)
        }
        return number
    }

    func wrong(_ key: String, _ allowed: String, _ text: String) -> UsageError {
        UsageError("\(title): \(key) takes \(allowed), not '\(text.excerpt)'")
    }
}
