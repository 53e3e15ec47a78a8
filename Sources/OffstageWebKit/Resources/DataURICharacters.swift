import Foundation

/// The decoded bytes of a data URI, each with its place in the text that the URI is written in.
struct DataURICharacters {
    private(set) var bytes: [UInt8] = []
    /// The place at which each byte is written, and the end.
    private(set) var starts: [Int] = []

    init(_ text: ArraySlice<UInt8>, in place: DataURI.Place) {
        (bytes, starts) = (Array(text), Array(text.startIndex...text.endIndex))
        if place != .sheet { replace(UInt8(ascii: "&"), Self.reference) }
        if place != .attribute { replace(UInt8(ascii: "\\"), Self.styleEscape) }
    }

    private typealias Decoded = (bytes: [UInt8], end: Int)

    /// Replaces all escapes that begin with a sign.
    ///
    /// - Parameter decode: Gets the text from a sign on. Returns nil if it is not an escape.
    private mutating func replace(_ sign: UInt8, _ decode: (ArraySlice<UInt8>) -> Decoded?) {
        guard bytes.contains(sign) else { return }
        var (result, places): ([UInt8], [Int]) = ([], [])
        var index = 0
        while index < bytes.count {
            let (decoded, end) = (bytes[index] == sign ? decode(bytes[index...]) : nil) ?? ([bytes[index]], index + 1)
            for byte in decoded {
                result.append(byte)
                places.append(starts[index])
            }
            index = end
        }
        places.append(starts[bytes.count])
        (bytes, starts) = (result, places)
    }

    /// A reference to a character of ASCII. Nil for all others, which are no part of a tag.
    static func reference(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], end: Int)? {
        let name = text.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";") else { return nil }
        let word = String(decoding: name, as: UTF8.self)
        let byte: UInt8? =
            switch word.first {
            case "#" where word.dropFirst().first?.lowercased() == "x": UInt8(word.dropFirst(2), radix: 16)
            case "#": UInt8(word.dropFirst())
            default:
                ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "num": 0x23, "percnt": 0x25][word]
            }
        guard let byte, byte < 0x80 else { return nil }
        return ([byte], name.endIndex + 1)
    }

    /// A style sheet's escape: up to six digits and a space, or a character that stands for itself. An escaped line break is nothing.
    private static func styleEscape(_ text: ArraySlice<UInt8>) -> Decoded? {
        let rest = text.dropFirst()
        guard let first = rest.first else { return nil }
        let digits = rest.prefix(6).prefix { digit($0) != nil }
        var end = digits.endIndex
        if digits.isEmpty {
            end = lineBreak(rest) ?? end
            return end > digits.endIndex ? ([], end) : ([first], end + 1)
        }
        if let next = text[end...].first, next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { end += 1 }
        end = lineBreak(text[end...]) ?? end
        let code = digits.reduce(0) { $0 << 4 | UInt32(digit($1) ?? 0) }
        let scalar = code == 0 ? nil : Unicode.Scalar(code)
        return (Array(String(scalar ?? "\u{FFFD}").utf8), end)
    }

    /// The end of a line break at the start of a text.
    private static func lineBreak(_ text: ArraySlice<UInt8>) -> Int? {
        if text.starts(with: "\r\n".utf8) { return text.startIndex + 2 }
        guard let first = text.first, "\n\r\u{C}".utf8.contains(first) else { return nil }
        return text.startIndex + 1
    }

    /// Removes the fragment, and decodes the rest.
    mutating func decode() {
        endAtFragment()
        decodePercentSigns()
    }

    private mutating func endAtFragment() {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else { return }
        bytes.removeSubrange(mark...)
        starts.removeSubrange((mark + 1)...)
    }

    /// Decodes percent signs like a browser: one without two digits stays.
    private mutating func decodePercentSigns() {
        replace(UInt8(ascii: "%")) { text in
            guard text.count > 2, let high = Self.digit(text[text.startIndex + 1]),
                let low = Self.digit(text[text.startIndex + 2])
            else { return nil }
            return ([high << 4 | low], text.startIndex + 3)
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
