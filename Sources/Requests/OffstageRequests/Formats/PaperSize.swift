import Foundation

/// The size of a page, as in `--format pdf:page=`.
struct PaperSize {
    /// Millimetres.
    let width: Double
    let height: Double

    /// ISO 216 and the sizes of North America (ANSI Y14.1), in portrait orientation.
    private static let known: [(name: String, width: Double, height: Double)] = [
        ("a3", 297, 420), ("a4", 210, 297), ("a5", 148, 210), ("a6", 105, 148), ("letter", 215.9, 279.4),
        ("legal", 215.9, 355.6), ("tabloid", 279.4, 431.8),
    ]

    static let names = known.map(\.name)

    /// - Parameter text: a name in lower or upper case, or `148x210`.
    init?(_ text: String) {
        if let known = Self.known.first(where: { $0.name == text.lowercased() }) {
            (width, height) = (known.width, known.height)
            return
        }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
            width <= 5000, height <= 5000
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
