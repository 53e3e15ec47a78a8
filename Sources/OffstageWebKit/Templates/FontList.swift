/// Font families in the order of preference, as CSS has them: `Noto Sans, "DejaVu Sans", sans-serif`.
public struct FontList: Sendable, Hashable {
    public let families: [String]

    /// - Parameter text: families parted by commas, each in quotes or not. Nil where one is empty or has something else than
    ///   letters, digits, spaces, `-`, `_` and `.`.
    public init?(_ text: String) {
        var families: [String] = []
        // By scalars: a Character that begins as a letter may hold a quote.
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

    /// What is no name of a font but of a kind, and so has no quotes.
    private static let generic: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif",
        "ui-monospace", "ui-rounded", "math", "emoji",
    ]

    /// As a value of `font-family`.
    var css: String {
        families.map { Self.generic.contains($0.lowercased()) ? $0 : "\"\($0)\"" }.joined(separator: ", ")
    }
}
