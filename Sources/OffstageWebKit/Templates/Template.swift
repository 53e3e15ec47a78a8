import Foundation

/// An HTML document with tokens that a row's values take the place of: `__NAME__` for text, which is escaped, and
/// `__{NAME}__` for HTML, which is inserted as it is.
///
/// A token's name has capital letters and digits, begins with a letter, and may have single underscores inside:
/// `__LINE_HEIGHT__`. The document is gone through once: a value that holds a token's text stays as it is.
///
/// Escaped text is safe between tags and in an attribute's quotes of either kind. It is not safe where HTML has another
/// language inside: a `style` attribute or element, a script, a URL's beginning.
public struct Template: Sendable {
    private enum Piece {
        case text(Substring)
        case escaped(String)
        case raw(String)
    }

    private let pieces: [Piece]
    /// The names of all tokens, without their underscores.
    public let tokens: Set<String>

    public init(_ document: String) {
        var pieces: [Piece] = []
        var tokens: Set<String> = []
        var rest = document.startIndex
        // By scalars: to a Character, an accent behind it would make another sign of the last underscore.
        let name = /__(?:([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)|\{([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\})__/
        for match in document.matches(of: name.matchingSemantics(.unicodeScalar)) {
            pieces.append(.text(document[rest..<match.range.lowerBound]))
            let token = String(match.output.1 ?? match.output.2!)
            pieces.append(match.output.1 == nil ? .raw(token) : .escaped(token))
            tokens.insert(token)
            rest = match.range.upperBound
        }
        pieces.append(.text(document[rest...]))
        self.pieces = pieces
        self.tokens = tokens
    }

    /// Checks that there is a value for every token and a token for every value.
    ///
    /// - Parameter names: of the values.
    /// - Throws: the first of what is wrong, in alphabetical order.
    public func check(_ names: some Sequence<String>) throws(TemplateError) {
        let names = Set(names)
        if let token = tokens.subtracting(names).min() { throw .missing(token) }
        if let name = names.subtracting(tokens).min() { throw .unused(name) }
    }

    /// The document with every token replaced.
    ///
    /// - Parameter values: by token, without the underscores.
    /// - Throws: as `check`.
    public func filled(with values: [String: String]) throws(TemplateError) -> String {
        try check(values.keys)
        var document = ""
        for piece in pieces {
            switch piece {
            case .text(let text): document += text
            case .escaped(let token): document += Self.escaped(values[token]!)
            case .raw(let token): document += values[token]!
            }
        }
        return document
    }

    /// Text as HTML: `&`, `<`, `>` and quotes of both kinds as character references.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { special[$0] != nil }) else { return text }
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if let reference = special[byte] { escaped += reference } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static let special: [UInt8: [UInt8]] = [
        UInt8(ascii: "&"): Array("&amp;".utf8), UInt8(ascii: "<"): Array("&lt;".utf8),
        UInt8(ascii: ">"): Array("&gt;".utf8), UInt8(ascii: "\""): Array("&quot;".utf8),
        UInt8(ascii: "'"): Array("&#39;".utf8),
    ]
}

/// Values that do not fit a template. It names tokens and never a value.
public enum TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The template has the token and there is no value for it.
    case missing(String)
    /// There is a value, and the template has no such token.
    case unused(String)
    /// The token takes something else, which the text names: `a colour such as …`.
    case invalid(String, takes: String)

    public var description: String {
        switch self {
        case .missing(let token): "there is no value for __\(token)__; give one, or take the token out of the template"
        case .unused(let name): "the template has no __\(name)__; leave the value out, or use it"
        case .invalid(let token, let allowed): "__\(token)__ takes \(allowed)"
        }
    }
}
