import Foundation

/// A content stream in which the pictures of coloured glyphs follow each text object (PDF 32000-1, 9.4).
struct PDFColorContent {
    private(set) var bytes = Data()
    /// The pictures by the names that the content gives them.
    private(set) var pictures: [String: PDFColorGlyphs.Glyph] = [:]

    private let fonts: [String: PDFColorGlyphs.Font]
    /// Nil until the text object sets one: outside of text objects, `q` and `Q` would save and restore it.
    private var font: (name: String, size: Double)?
    /// The start of the line, and the position of the next glyph.
    private var (line, place) = (PDFMatrix(), PDFMatrix())
    private var painted: [String] = []

    /// Nil for content with unsupported text operators, which WebKit's pages do not have.
    ///
    /// - Parameter fonts: the fonts with coloured glyphs, by their names in the content.
    init?(_ content: Data, _ fonts: [String: PDFColorGlyphs.Font]) {
        self.fonts = fonts
        var tokens = PDFTokens(content)
        var (copied, isText) = (0, false)
        var operands: [PDFTokens.Token] = []
        while let token = tokens.next() {
            guard case .operator(let word) = token else {
                operands.append(token)
                continue
            }
            if isText {
                guard set(word, operands) else { return nil }
            } else if ["BI", "Tc", "Tw", "Tz", "Ts", "Tr"].contains(word) {
                return nil
            }
            switch word {
            case "BT": (isText, font, line, place) = (true, nil, PDFMatrix(), PDFMatrix())
            case "ET":
                isText = false
                bytes += content.dropFirst(copied).prefix(tokens.place - copied)
                bytes += Data(painted.map { "\n\($0)" }.joined().utf8)
                (copied, painted) = (tokens.place, [])
            default: break
            }
            operands = []
        }
        bytes += content.dropFirst(copied)
    }

    /// - Returns: false for an unsupported operator.
    private mutating func set(_ word: String, _ operands: [PDFTokens.Token]) -> Bool {
        let numbers = operands.compactMap { if case .number(let number) = $0 { number } else { nil } }
        switch (word, numbers.count) {
        case ("ET", 0): break
        case ("Tf", 1):
            guard case .name(let name)? = operands.first else { return false }
            font = (name, numbers[0])
        case ("Tm", 6):
            line = PDFMatrix()
            line.concatenate(numbers)
            place = line
        case ("Td", 2):
            line.concatenate([1, 0, 0, 1] + numbers)
            place = line
        case ("Tj", 0), ("TJ", _): return show(operands)
        default: return false
        }
        return true
    }

    /// - Returns: false if the font is unknown.
    private mutating func show(_ operands: [PDFTokens.Token]) -> Bool {
        guard let (name, size) = font else { return false }
        guard let font = fonts[name] else { return true }
        for operand in operands {
            switch operand {
            case .number(let number): place.concatenate([1, 0, 0, 1, -number / 1000 * size, 0])
            case .string(let codes):
                for code in codes {
                    if let glyph = font.glyph(code) { paint(glyph, as: name + glyph.name, font.matrix, size) }
                    place.concatenate([1, 0, 0, 1, font.width(code) * size, 0])
                }
            case .name, .operator: break
            }
        }
        return true
    }

    private mutating func paint(
        _ glyph: PDFColorGlyphs.Glyph, as name: String, _ matrix: PDFMatrix, _ size: Double
    ) {
        pictures[name] = glyph
        var whole = place
        whole.concatenate([size, 0, 0, size, 0, 0])
        whole.concatenate(matrix.numbers)
        let numbers = whole.numbers.map { String(format: "%.6f", $0) }.joined(separator: " ")
        painted.append("q \(numbers) cm /\(name) Do Q")
    }
}
