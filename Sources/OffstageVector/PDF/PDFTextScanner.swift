import Foundation
import Offstage

/// Finds the codes that a content stream shows in each font: the operands of its text operators (PDF 32000-1, 9.4).
struct PDFTextScanner {
    /// By the name in the stream's resources: the bytes of all strings.
    private(set) var shown: [String: Data] = [:]
    /// False where the stream has an image in itself, whose bytes cannot be told from operators: there may be more than `shown`.
    private(set) var isWhole = true
    /// False where letters may be something else than filled, as with outlines of their own (9.3.6): glyphs that are drawings are
    /// filled all the same.
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
