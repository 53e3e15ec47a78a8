import Foundation

/// The decoded bytes of a data URI, each with its position in the surrounding text.
struct DataURICharacters {
    private(set) var bytes: [UInt8]
    /// The position of each byte, and the end, from the start of the text: four bytes per byte.
    private var places: [UInt32]
    private let textStart: Int

    init(_ text: ArraySlice<UInt8>, in place: DataURI.Place) {
        (bytes, textStart) = (Array(text), text.startIndex)
        places = Array(0...UInt32(clamping: text.count))
        if place != .sheet {
            replace(UInt8(ascii: "&")) { text, result in
                guard let (byte, end) = Self.reference(text) else { return nil }
                result.append(byte)
                return end
            }
        }
        if place != .attribute { replace(UInt8(ascii: "\\"), Self.styleEscape) }
    }

    /// The position of a byte; for the number of all bytes, the end.
    func start(of index: Int) -> Int { textStart + Int(places[index]) }

    /// Replaces all escapes that begin with a character, in one pass.
    ///
    /// - Parameter decode: Appends the decoded start of a text. Returns the end of the escape, or nil if it is not one.
    private mutating func replace(_ sign: UInt8, _ decode: (ArraySlice<UInt8>, inout [UInt8]) -> Int?) {
        guard let first = bytes.firstIndex(of: sign) else { return }
        var (result, resultPlaces) = (Array(bytes[..<first]), Array(places[..<first]))
        result.reserveCapacity(bytes.count)
        resultPlaces.reserveCapacity(places.count)
        var index = first
        while index < bytes.count {
            let count = result.count
            if bytes[index] == sign, let end = decode(bytes[index...], &result) {
                for _ in count..<result.count { resultPlaces.append(places[index]) }
                index = end
            } else {
                result.append(bytes[index])
                resultPlaces.append(places[index])
                index += 1
            }
        }
        resultPlaces.append(places[bytes.count])
        (bytes, places) = (result, resultPlaces)
    }

    /// A reference to an ASCII character. Nil for all others, which cannot be part of a tag.
    static func reference(_ text: ArraySlice<UInt8>) -> (byte: UInt8, end: Int)? {
        let name = text.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";") else { return nil }
        let byte = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named(name)
        guard let byte, byte < 0x80 else { return nil }
        return (byte, name.endIndex + 1)
    }

    private static func number(_ code: ArraySlice<UInt8>) -> UInt8? {
        let isHex = code.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = isHex ? code.dropFirst() : code
        if digits.isEmpty { return nil }
        var value = 0
        for one in digits {
            guard let digit = digit(one), isHex || digit < 10 else { return nil }
            value = value * (isHex ? 16 : 10) + Int(digit)
        }
        return UInt8(exactly: value)
    }

    private static func named(_ name: ArraySlice<UInt8>) -> UInt8? {
        names.first { name.elementsEqual($0.name.utf8) }?.byte
    }

    private static let names: [(name: String, byte: UInt8)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("num", 0x23), ("percnt", 0x25),
    ]

    /// A style sheet's escape: up to six digits and a space, or an escaped literal character. An escaped line break is
    /// removed.
    private static func styleEscape(_ text: ArraySlice<UInt8>, _ result: inout [UInt8]) -> Int? {
        let rest = text.dropFirst()
        guard let first = rest.first else { return nil }
        let digits = rest.prefix(6).prefix { digit($0) != nil }
        var end = digits.endIndex
        if digits.isEmpty {
            if let end = lineBreak(rest) { return end }
            result.append(first)
            return end + 1
        }
        if let next = text[end...].first, next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { end += 1 }
        end = lineBreak(text[end...]) ?? end
        let code = digits.reduce(0) { $0 << 4 | UInt32(digit($1) ?? 0) }
        let scalar = code == 0 ? nil : Unicode.Scalar(code)
        result.append(contentsOf: String(scalar ?? "\u{FFFD}").utf8)
        return end
    }

    /// The end of a line break at the start of a text.
    private static func lineBreak(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first, "\n\r\u{C}".utf8.contains(first) else { return nil }
        let isPair = first == UInt8(ascii: "\r") && text.dropFirst().first == UInt8(ascii: "\n")
        return text.startIndex + (isPair ? 2 : 1)
    }

    /// Removes the fragment, and decodes the rest.
    mutating func decode() {
        endAtFragment()
        decodePercentSigns()
    }

    private mutating func endAtFragment() {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else { return }
        bytes.removeSubrange(mark...)
        places.removeSubrange((mark + 1)...)
    }

    /// Decodes percent escapes like a browser: a percent sign without two digits is kept.
    private mutating func decodePercentSigns() {
        replace(UInt8(ascii: "%")) { text, result in
            guard text.count > 2, let high = Self.digit(text[text.startIndex + 1]),
                let low = Self.digit(text[text.startIndex + 2])
            else { return nil }
            result.append(high << 4 | low)
            return text.startIndex + 3
        }
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
