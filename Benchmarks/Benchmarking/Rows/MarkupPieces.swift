import Foundation

/// Splits an HTML document into pieces, so that its text can be replaced.
struct MarkupPieces {
    enum Piece: Hashable {
        /// Visible text.
        case text(Substring)
        /// Tags, comments and the doctype.
        case markup(Substring)
        /// The content of `<style>`.
        case style(Substring)
    }

    /// The pieces in order. Together they are the whole document.
    private(set) var all: [Piece] = []

    init(_ html: String) {
        var rest = html[...]
        var isStyle = false
        while !rest.isEmpty {
            if isStyle {
                let end = rest.range(of: "</style")?.lowerBound ?? rest.endIndex
                all.append(.style(rest[..<end]))
                rest = rest[end...]
                isStyle = false
            } else if rest.first == "<" {
                let tag = rest[..<Self.endOfTag(rest)]
                all.append(.markup(tag))
                rest = rest[tag.endIndex...]
                isStyle = tag.hasPrefix("<style")
            } else {
                let text = rest.prefix { $0 != "<" }
                all.append(.text(text))
                rest = rest[text.endIndex...]
            }
        }
    }

    /// The index after the `>`; a `>` inside quotes does not count.
    private static func endOfTag(_ text: Substring) -> String.Index {
        if text.hasPrefix("<!--") { return text.range(of: "-->")?.upperBound ?? text.endIndex }
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return text.index(after: index)
            }
        }
        return text.endIndex
    }
}
