import Foundation

/// An HTML document with tokens that a row's values replace: `__NAME__` for text, which is escaped, and `__{NAME}__` for HTML,
/// which is inserted unchanged.
///
/// A token's name consists of capital letters and digits, starts with a letter, and may contain single underscores:
/// `__LINE_HEIGHT__`. Tokens are replaced in a single pass: a value that contains the text of a token stays unchanged.
///
/// Escaped text is safe between tags and in an attribute's quotes of either kind. It is not safe where HTML embeds another
/// language: in a `style` attribute or element, a script, or the start of a URL.
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
        // Matches by scalars: an accent after the last underscore would combine with it into another Character.
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

    /// Checks that every token has a value and that every value has a token.
    ///
    /// - Parameter names: The names of the values.
    /// - Throws: The first error in alphabetical order. A missing value precedes an unused one.
    public func check(_ names: some Sequence<String>) throws(TemplateError) {
        let names = Set(names)
        if let token = tokens.subtracting(names).min() { throw .missing(token) }
        if let name = names.subtracting(tokens).min() { throw .unused(name) }
    }

    /// The document with all tokens replaced.
    ///
    /// - Parameter values: Values by token, without the underscores.
    /// - Throws: The same errors as `check`.
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

    /// Escapes text for HTML: `&`, `<`, `>` and both kinds of quotes become character references.
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

/// Values that do not fit a template. The error names tokens, never values.
public enum TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The template has this token, but no value for it exists.
    case missing(String)
    /// The value exists, but the template has no token of its name.
    case unused(String)
    /// The value is invalid for the token. `takes` describes valid ones: `a colour such as …`.
    case invalid(String, takes: String)

    public var description: String {
        switch self {
        case .missing(let token): "there is no value for __\(token)__; give one, or remove the token from the template"
        case .unused(let name): "the template has no __\(name)__; remove the value, or add the token to the template"
        case .invalid(let token, let allowed): "__\(token)__ takes \(allowed)"
        }
    }
}
