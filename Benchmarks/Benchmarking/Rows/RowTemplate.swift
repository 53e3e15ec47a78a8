import Foundation
import SeededRandom

/// A snippet that rows are made from: the same markup and look with other words and numbers.
public struct RowTemplate: Sendable, Hashable {
    public var name: String
    public var html: String

    public init(name: String, html: String) {
        self.name = name
        self.html = html
    }

    /// A row of its own: the words of each text in another order, other digits, and its number in the title, so that no two
    /// rows are the same document.
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

    /// Without the fonts that it includes, and with the machine's instead, like most rows.
    public var withSystemFonts: RowTemplate {
        let html = MarkupPieces(html).all.map { piece in
            switch piece {
            case .text(let text), .markup(let text): String(text)
            case .style(let css): Self.withSystemFonts(String(css))
            }
        }.joined()
        return RowTemplate(name: name, html: html)
    }

    /// The same for a style sheet.
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
        // Spaces stay in their places, because they have a meaning in code.
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
        // A reference to a character is not to become another one.
        if word.contains("&") { return String(word) }
        var characters = Array(word)
        // Chinese and Japanese have no spaces, so the text between punctuation is more than a word.
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
