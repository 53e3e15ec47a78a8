/// Formatting of user input in messages.
extension String {
    /// The text in quotes, cut off after 80 characters, with escapes for characters that a terminal should not receive.
    package var quoted: String {
        // A fast path: most texts are plain, and this runs for each of a hundred thousand rows.
        if utf8.count <= 80, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "\"\(self)\"" }
        return "\"" + excerpt.unicodeScalars.map(Self.shown).joined() + "\""
    }

    /// The text for a line of a log or a terminal. Control characters, which could move the cursor, change a title or
    /// forge a line, and characters that change the direction of text are written as `\u{1b}`. A tab is kept, for columns.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 }) { return self }
        return unicodeScalars.map { scalar in
            switch scalar {
            case "\t": "\t"
            case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                Self.escaped(scalar)
            default: scalar.properties.generalCategory == .format ? String(scalar) : Self.shown(scalar)
            }
        }.joined()
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: escaped(scalar)
        default: String(scalar)
        }
    }
}

extension StringProtocol {
    /// The text for a message, which must stay short: cut off after 80 Unicode scalars, because a character can have
    /// any number of them.
    package var excerpt: String {
        if utf8.count <= 80 { return String(self) }
        guard let end = unicodeScalars.index(startIndex, offsetBy: 80, limitedBy: endIndex), end < endIndex else {
            return String(self)
        }
        return String(self[..<end]) + "…"
    }
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    package func formatted(_ conjunction: String) -> String {
        count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) \(conjunction) \(last!)"
    }
}
