import Foundation
import Offstage

/// Finds the codes that a content stream uses in each font: the operands of its text operators (PDF 32000-1, 9.4).
struct PDFTextScanner {
    /// The bytes of all strings, by the font's name in the stream's resources.
    private(set) var shown: [String: Data] = [:]
    /// False if the stream has an inline image, whose bytes cannot be distinguished from operators. Then `shown` may be
    /// incomplete.
    private(set) var isWhole = true
    /// False if some text may not simply be filled, such as outlined text (9.3.6). Type 3 glyphs ignore this and are
    /// always filled.
    private(set) var isFilled = true

    init(_ content: Data) {
        var tokens = PDFTokens(content)
        var (font, name) = ("", "")
        var strings = Data()
        var number = 0.0
        while let token = tokens.next() {
            switch token {
            case .name(let text): name = text
            case .string(let data): strings += data
            case .number(let value): number = value
            case .operator(let word):
                switch word {
                case "Tf": font = name
                case "Tj", "TJ", "'", "\"": shown[font, default: Data()] += strings
                case "Tr" where number != 0: isFilled = false
                case "BI": isWhole = false
                default: break
                }
                strings = Data()
            }
        }
    }
}
