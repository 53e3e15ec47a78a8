/// Font families in order of preference, written as in CSS: `Noto Sans, "DejaVu Sans", sans-serif`.
public struct FontList: Sendable, Hashable {
    public let families: [String]

    /// - Parameter text: Families separated by commas, with or without quotes. The result is nil if a family is empty or
    ///   contains anything but letters, digits, spaces, `-`, `_` and `.`.
    public init?(_ text: String) {
        var families: [String] = []
        // Splits by scalars: a Character that starts with a letter may contain a quote.
        for part in text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            if name.count > 1, let quote = name.first, quote == "\"" || quote == "'", name.last == quote {
                name = name.dropFirst().dropLast()
            }
            guard name.allSatisfy(Self.isPlain), name.contains(where: { $0 != " " }) else { return nil }
            families.append(String(String.UnicodeScalarView(name)))
        }
        self.families = families
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "-", "_", ".": true
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    /// Generic families. They are keywords, so they are not quoted.
    private static let generic: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif",
        "ui-monospace", "ui-rounded", "math", "emoji",
    ]

    /// The list as a value of `font-family`.
    var css: String {
        families.map { Self.generic.contains($0.lowercased()) ? $0 : "\"\($0)\"" }.joined(separator: ", ")
    }
}
