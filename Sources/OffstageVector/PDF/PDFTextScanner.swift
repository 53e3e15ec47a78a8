import Foundation
import Offstage

/// Which codes a content stream shows in which font: the operands of its text operators (PDF 32000-1, 9.4).
struct PDFTextScanner {
    /// By the name in the stream's resources: the bytes of all strings.
    private(set) var shown: [String: Data] = [:]
    /// False where the stream has an image in itself, whose bytes cannot be told from operators: there may be more than `shown`.
    private(set) var isWhole = true

    init(_ content: Data) {
        var tokens = PDFTokens(content)
        var (font, name) = ("", "")
        var strings = Data()
        while let token = tokens.next() {
            switch token {
            case .name(let text): name = text
            case .string(let data): strings += data
            case .number: continue
            case .operator(let word):
                switch word {
                case "Tf": font = name
                case "Tj", "TJ", "'", "\"": shown[font, default: Data()] += strings
                case "BI": isWhole = false
                default: break
                }
                strings = Data()
            }
        }
    }
}
