/// How messages show what somebody gave.
extension String {
    /// In quotes, cut off after 80 characters, signs that no terminal should get as escapes.
    package var quoted: String {
        // Most are plain; of a hundred thousand rows each is asked for.
        if utf8.count <= 80, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "\"\(self)\"" }
        let text = count > 80 ? prefix(80) + "…" : self[...]
        return "\"" + text.unicodeScalars.map(Self.shown).joined() + "\""
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    package func formatted(_ conjunction: String) -> String {
        count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) \(conjunction) \(last!)"
    }
}
