import Foundation
import Offstage

/// Characters outside ASCII: literal ones and references.
extension SourceTextScanner {
    mutating func addCharacter(to text: inout SourceText) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes[index...].makeIterator()
        guard case .valid(let units) = parser.parseScalar(from: &iterator) else {
            text.isUnclear = true
            return
        }
        text.add(Unicode.UTF8.decode(units).value)
        index += units.count - 1
    }

    func number(at start: Int, radix: UInt32, most: Int) -> (value: UInt32, length: Int) {
        var (value, length): (UInt32, Int) = (0, 0)
        while length < most, start + length < bytes.count,
            let digit = Character(Unicode.Scalar(bytes[start + length])).hexDigitValue, digit < radix
        { (value, length) = (value * radix + UInt32(digit), length + 1) }
        return (value, length)
    }

    func addReference(to text: inout SourceText) {
        guard index + 1 < bytes.count else { return }
        if bytes[index + 1] == UInt8(ascii: "#") {
            let isHex = has("&#x", at: index)
            let (code, _) = number(at: index + (isHex ? 3 : 2), radix: isHex ? 16 : 10, most: 7)
            // HTML maps these codes to characters of windows-1252.
            if (0x80..<0xA0).contains(code) { text.isUnclear = true }
            return text.add(code)
        }
        let name = bytes[(index + 1)...].prefix(32).prefix {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
        }
        guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else { return }
        guard let code = Self.references[String(decoding: name, as: UTF8.self)] else {
            text.isUnclear = true
            return
        }
        text.add(code)
    }

    /// Common character references.
    static let references: [String: UInt32] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "nbsp": 0xA0, "copy": 0xA9, "reg": 0xAE,
        "trade": 0x2122, "mdash": 0x2014, "ndash": 0x2013, "hellip": 0x2026, "middot": 0xB7, "bull": 0x2022,
        "laquo": 0xAB, "raquo": 0xBB, "lsquo": 0x2018, "rsquo": 0x2019, "ldquo": 0x201C, "rdquo": 0x201D,
        "times": 0xD7, "deg": 0xB0, "euro": 0x20AC, "pound": 0xA3, "larr": 0x2190, "uarr": 0x2191, "rarr": 0x2192,
        "darr": 0x2193, "shy": 0xAD, "zwj": 0x200D, "zwnj": 0x200C, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009,
        "eacute": 0xE9, "auml": 0xE4, "ouml": 0xF6, "uuml": 0xFC, "szlig": 0xDF, "sect": 0xA7, "plusmn": 0xB1,
    ]
}
