/// Reads the bytes of an XML document from the left, as far as needed for its entities. The charset contains ASCII.
struct XMLReader {
    /// A position at which an entity or an element is used. It takes four bytes, because a document has very many.
    struct Use {
        private let code: UInt32

        init(at place: Int, isElement: Bool) { code = UInt32(place) << 1 | (isElement ? 1 : 0) }

        /// The start of its name.
        var place: Int { Int(code >> 1) }
        var isElement: Bool { code & 1 == 1 }
    }

    private let bytes: [UInt8]
    private var index = 0

    /// - Parameter bytes: Fewer than 2 GiB.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Document type

    /// Moves to the declarations in the document type. False if it has none.
    mutating func findDeclarations() -> Bool {
        _ = skip("\u{FEFF}")
        while true {
            skipSpaces()
            if skip("<?") {
                skip(past: "?>")
            } else if skip("<!--") {
                skip(past: "-->")
            } else {
                break
            }
        }
        guard skip("<!DOCTYPE") else { return false }
        while index < bytes.count {
            defer { index += 1 }
            switch bytes[index] {
            case UInt8(ascii: "["): return true
            case UInt8(ascii: ">"): return false
            case let quote where Self.isQuote(quote): skipText(quote)
            default: break
            }
        }
        return false
    }

    /// Moves past the end of the document type, including its declarations. Their values may contain tags.
    mutating func skipDocumentType() {
        var depth = 1
        while depth > 0, index < bytes.count {
            if skip("<!--") {
                skip(past: "-->")
            } else if skip("<?") {
                skip(past: "?>")
            } else {
                switch bytes[index] {
                case UInt8(ascii: "<"): depth += 1
                case UInt8(ascii: ">"): depth -= 1
                case let quote where Self.isQuote(quote): skipText(quote)
                default: break
                }
                index = min(index + 1, bytes.count)
            }
        }
    }

    /// Moves past the end of a declaration, and returns the quoted texts.
    @discardableResult
    mutating func skipMarkup() -> [ArraySlice<UInt8>] {
        var texts: [ArraySlice<UInt8>] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            if Self.isQuote(bytes[index]) { texts.append(skipText(bytes[index])) }
            index += 1
        }
        index = min(index + 1, bytes.count)
        return texts
    }

    /// Moves to the closing quote.
    @discardableResult
    private mutating func skipText(_ quote: UInt8) -> ArraySlice<UInt8> {
        let rest = bytes[min(index + 1, bytes.count)...]
        index = rest.firstIndex(of: quote) ?? bytes.count
        return rest[..<index]
    }

    /// The quoted text that starts here. Nil if none does.
    mutating func quoted() -> ArraySlice<UInt8>? {
        guard isAtQuote else { return nil }
        let text = skipText(bytes[index])
        index = min(index + 1, bytes.count)
        return text
    }

    var isAtQuote: Bool { index < bytes.count && Self.isQuote(bytes[index]) }

    /// The name here, after spaces.
    mutating func name() -> ArraySlice<UInt8> {
        skipSpaces()
        defer { index = min(bytes.count, name(at: index).endIndex) }
        return name(at: index)
    }

    func name(at place: Int) -> ArraySlice<UInt8> { bytes[place...].prefix(while: Self.isName) }

    // MARK: Content

    typealias Attribute = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

    /// The attributes of a tag or of an instruction, after its name. Moves past its end.
    mutating func attributes() -> [Attribute] {
        var attributes: [Attribute] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            let name = name()
            skipSpaces()
            if !name.isEmpty, skip("=") {
                skipSpaces()
                if let value = quoted() { attributes.append((name, value)) }
            } else if name.isEmpty, index < bytes.count, bytes[index] != UInt8(ascii: ">") {
                index += 1
            }
        }
        index = min(index + 1, bytes.count)
        return attributes
    }

    /// Moves past the next reference or start tag. Nil at the end.
    mutating func nextUse() -> Use? {
        while let sign = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
            index = sign
            if skip("<!--") {
                skip(past: "-->")
            } else if skip("<![CDATA[") {
                skip(past: "]]>")
            } else if skip("<?") {
                skip(past: "?>")
            } else {
                let name = name(at: sign + 1)
                index = name.endIndex
                let isElement = bytes[sign] == UInt8(ascii: "<")
                if !name.isEmpty, isElement || bytes[index...].first == UInt8(ascii: ";") {
                    return Use(at: sign + 1, isElement: isElement)
                }
            }
        }
        index = bytes.count
        return nil
    }

    // MARK: Bytes

    mutating func skipSpaces() { while index < bytes.count, Charset.isSpace(bytes[index]) { index += 1 } }

    mutating func skip(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count, (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
        else { return false }
        index += length
        return true
    }

    /// Moves past the next occurrence of a word, or to the end if there is none.
    mutating func skip(past word: StaticString) {
        let found = bytes.withUnsafeBytes { $0.firstIndex(of: word, from: index) }
        index = found.map { $0 + word.utf8CodeUnitCount } ?? bytes.count
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// True for all bytes that a name may contain, and for others that cannot end a name.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    /// A character reference at the start of a text, and its end. Nil for all others.
    static func character(_ text: ArraySlice<UInt8>) -> (Unicode.Scalar, end: Int)? {
        guard text.dropFirst().first == UInt8(ascii: "#") else { return nil }
        let isHex = text.dropFirst(2).first == UInt8(ascii: "x")
        let digits = text.dropFirst(isHex ? 3 : 2)
        var value: UInt32 = 0
        var end = digits.startIndex
        while end < digits.endIndex, let digit = DataURICharacters.digit(digits[end]), isHex || digit < 10 {
            value = min(0x11_0000, value * (isHex ? 16 : 10) + UInt32(digit))
            end += 1
        }
        guard end < digits.endIndex, digits[end] == UInt8(ascii: ";"), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return (scalar, end + 1)
    }
}
