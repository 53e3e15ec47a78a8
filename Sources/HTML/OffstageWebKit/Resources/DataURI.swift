import Foundation

/// A data URI in the text of a document or a style sheet.
struct DataURI {
    /// A change of a text: these bytes are replaced.
    struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    /// The kind of text that contains a URI. It determines the escapes around the URI's own percent signs.
    enum Place {
        /// The value of an attribute: character references.
        case attribute
        /// A style sheet: CSS escapes.
        case sheet
        /// Inside an attribute's value, such as a style: CSS escapes, written with character references.
        case inlineStyle
    }

    let place: Place
    private let text: [UInt8]
    /// The bytes up to the comma.
    private let head: ArraySlice<UInt8>
    /// The byte before the URI, or 0.
    private let quote: UInt8
    /// A quote before the URI that is written as a character reference, and that also ends the URI. Nil for any other
    /// quote.
    private let quoteReference: ArraySlice<UInt8>?

    /// The maximum number of bytes up to the comma.
    static let longestHead = 200
    /// Nil if no comma follows, or if the text only looks like a data URI, which is then shown as written.
    ///
    /// - Parameters:
    ///   - index: The index of `data:`.
    ///   - places: The positions in the same text. It must not have advanced past the index.
    init?(in text: [UInt8], at index: Int, _ places: inout MarkupPlaces) {
        let head = text[index...].prefix(Self.longestHead).prefix { $0 != UInt8(ascii: ",") }
        guard head.endIndex < text.endIndex, text[head.endIndex] == UInt8(ascii: ",") else { return nil }
        let markup = places.place(of: index, in: text)
        if markup == .text { return nil }
        self.text = text
        self.head = head
        quote = index > 0 ? text[index - 1] : 0
        let equals = UInt8(ascii: "=")
        let isAttribute = quote == equals || text[..<max(0, index - 1)].last { $0 > 0x20 } == equals
        place = isAttribute ? .attribute : markup == .tag ? .inlineStyle : .sheet
        quoteReference = place == .inlineStyle ? Self.quoteReference(text[..<index]) : nil
    }

    var isBase64: Bool { head.names("base64") }
    var isSVG: Bool { head.names("image/svg+xml") }
    /// True for SVG, XHTML and other XML.
    var isXML: Bool { head.names("xml") }

    /// The index after the comma.
    private var start: Int { head.endIndex + 1 }

    private static func quoteReference(_ before: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard before.last == UInt8(ascii: ";"),
            let start = before.suffix(8).lastIndex(of: UInt8(ascii: "&")),
            let (byte, end) = DataURICharacters.reference(before[start...]), end == before.endIndex,
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        else { return nil }
        return before[start...]
    }

    /// The bytes after the comma, up to the end of the URI. This searches for that end.
    var content: ArraySlice<UInt8> {
        var end = start
        while end < text.endIndex, !isEnd(end) {
            // A style sheet escapes a quote with a backslash.
            end += place != .attribute && text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text[start..<min(end, text.endIndex)]
    }

    private func isEnd(_ index: Int) -> Bool {
        let byte = text[index]
        if let quoteReference { return byte == UInt8(ascii: "&") && text[index...].starts(with: quoteReference) }
        switch quote {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return byte == quote
        case UInt8(ascii: "("): return byte == UInt8(ascii: ")")
        default: return byte <= 0x20 || "\"'<>)".utf8.contains(byte)
        }
    }
}

extension ArraySlice<UInt8> {
    /// True if a word, given in lower case, is in these bytes, in any case.
    fileprivate func names(_ word: StaticString) -> Bool {
        withUnsafeBytes { bytes in bytes.indices.contains { bytes.has(word, at: $0) } }
    }
}

// MARK: Base64

extension DataURI {
    /// The first bytes of a file in base64: at least 30 bytes if the file has that many and they are written without
    /// many escapes.
    var fileHead: Data {
        var characters = DataURICharacters(text[start...].prefix(200), in: place)
        characters.decode()
        let code = Base64(characters.bytes, isSpaced: true).code.prefix(64)
        return Data(base64Encoded: Data(code.prefix(code.count & ~3))) ?? Data()
    }

    /// The change to a file in base64; none if the file stays the same. The file may be written in any form: with
    /// percent signs, with escapes, or in several lines.
    func edits(_ change: (Data) -> Data) -> [Edit] {
        let (characters, base64) = base64Content
        guard let file = base64.decoded else { return [] }
        let changed = change(file)
        if changed == file { return [] }
        let range = characters.start(of: 0)..<characters.start(of: base64.length)
        return [Edit(range: range, bytes: Array(changed.base64EncodedData()))]
    }

    /// The file in base64; nil if it is not in base64.
    var file: Data? { base64Content.1.decoded }

    private var base64Content: (DataURICharacters, Base64) {
        var characters = DataURICharacters(content, in: place)
        characters.decode()
        // In a style sheet that is itself a data URI, the file may be encoded twice.
        if characters.bytes.contains(UInt8(ascii: "%")) { characters.decode() }
        return (characters, Base64(characters.bytes, isSpaced: place == .attribute))
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Base64 at the start of some bytes. A fragment or a candidate's descriptor may follow.
private struct Base64 {
    /// The code without spaces and padding.
    private(set) var code: [UInt8] = []
    /// The number of bytes that the code and its padding take.
    private(set) var length = 0

    /// - Parameter isSpaced: The code may contain spaces, as in `src`. In `srcset` a space ends it.
    init(_ bytes: [UInt8], isSpaced: Bool) {
        let isSpaced = isSpaced && !Self.hasDescriptor(bytes)
        var index = 0
        while index < bytes.count {
            if Self.isCode(bytes[index]) {
                code.append(bytes[index])
                length = index + 1
            } else if !Self.isSkipped(bytes[index], isSpaced) {
                break
            }
            index += 1
        }
        while index < bytes.count, bytes[index] == UInt8(ascii: "=") {
            index += 1
            length = index
        }
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        DataURI.isLetterOrDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    private static func isSkipped(_ byte: UInt8, _ isSpaced: Bool) -> Bool {
        byte == UInt8(ascii: " ") ? isSpaced : "\n\r\t".utf8.contains(byte)
    }

    /// Returns true if the bytes are several candidates, or end in a descriptor such as `2x` or `300w`.
    private static func hasDescriptor(_ bytes: [UInt8]) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let last = words.last else { return false }
        return bytes.contains(UInt8(ascii: ",")) || last.count < 9 && "xw".utf8.contains(last[last.endIndex - 1])
    }

    /// Nil if the text is not base64.
    var decoded: Data? {
        if code.isEmpty { return nil }
        return Data(base64Encoded: Data(code) + Data(repeating: UInt8(ascii: "="), count: -code.count & 3))
    }
}
