import Foundation
import SeededRandom

/// A snippet from which rows are made, with the same markup and look but other words and numbers.
public struct RowTemplate: Sendable, Hashable {
    public var name: String
    public var html: String

    public init(name: String, html: String) {
        self.name = name
        self.html = html
    }

    /// A unique row: each text has its words in another order and other digits, and the title contains the row's
    /// number, so that no two rows are the same document.
    public func row(_ number: Int, using generator: inout SeededGenerator) -> String {
        var row = ""
        for piece in MarkupPieces(html).all {
            switch piece {
            case .text(let text): row += Self.varied(text, using: &generator)
            case .markup(let tag):
                if tag == "</title>" { row += " \(number)" }
                row += tag
            case .style(let css): row += css
            }
        }
        return row
    }

    /// The template with the machine's fonts instead of its included fonts, as in most rows.
    public var withSystemFonts: RowTemplate {
        let html = MarkupPieces(html).all.map { piece in
            switch piece {
            case .text(let text), .markup(let text): String(text)
            case .style(let css): Self.withSystemFonts(String(css))
            }
        }.joined()
        return RowTemplate(name: name, html: html)
    }

    /// A style sheet with the machine's fonts instead of its included fonts.
    public static func withSystemFonts(_ css: String) -> String {
        var css = css.replacingOccurrences(of: "@font-face *\\{[^}]*\\}", with: "", options: .regularExpression)
        let families = [
            "\"?Fira Code\"?": "monospace", "\"?Vollkorn\"?": "serif", "\"?Inter\"?": "sans-serif",
            "\"?Bebas Neue\"?": "sans-serif",
        ]
        for (family, generic) in families {
            css = css.replacingOccurrences(of: family, with: generic, options: .regularExpression)
        }
        return css
    }

    private static func varied(_ text: Substring, using generator: inout SeededGenerator) -> String {
        var words = text.split(whereSeparator: \.isWhitespace).map { word($0, using: &generator) }
        words.shuffle(using: &generator)
        // Spaces stay in place, because they are significant in code.
        var (result, next, isInWord) = ("", 0, false)
        for character in text {
            if character.isWhitespace {
                result.append(character)
            } else if !isInWord {
                result += words[next]
                next += 1
            }
            isInWord = !character.isWhitespace
        }
        return result
    }

    private static func word(_ word: Substring, using generator: inout SeededGenerator) -> String {
        // A character reference must not become another one.
        if word.contains("&") { return String(word) }
        var characters = Array(word)
        // Chinese and Japanese have no spaces, so the text between punctuation can be longer than a word.
        if characters.count > 3, characters.allSatisfy({ $0.unicodeScalars.allSatisfy { $0.value >= 0x3000 } }) {
            characters.shuffle(using: &generator)
        }
        return String(
            characters.map { character in
                guard character.isASCII, character.isNumber else { return character }
                return Character("\(Int.random(in: 0...9, using: &generator))")
            })
    }
}
