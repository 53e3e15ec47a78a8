import Foundation

/// The decoded bytes of a data URI, each with its place in the text that the URI is written in.
struct DataURICharacters {
    private(set) var bytes: [UInt8] = []
    /// The place at which each byte is written, and the end.
    private(set) var starts: [Int] = []

    /// A URI in a style sheet, whose escaped quotes are decoded. Escapes with digits stay.
    init(_ text: ArraySlice<UInt8>) {
        var index = text.startIndex
        while index < text.endIndex {
            starts.append(index)
            if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex, "\"'".utf8.contains(text[index + 1]) {
                index += 1
            }
            bytes.append(text[index])
            index += 1
        }
        starts.append(text.endIndex)
    }

    /// A URI in an attribute, whose character references are decoded.
    init(attribute text: ArraySlice<UInt8>) {
        var index = text.startIndex
        while index < text.endIndex {
            starts.append(index)
            if text[index] == UInt8(ascii: "&"), let reference = Self.reference(text[(index + 1)...]) {
                bytes.append(reference.byte)
                index = reference.end
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        starts.append(text.endIndex)
    }

    /// A reference to a character of ASCII, after its `&`. Nil for all others, which are no part of a tag.
    private static func reference(_ text: ArraySlice<UInt8>) -> (byte: UInt8, end: Int)? {
        let name = text.prefix(8).prefix { $0 != UInt8(ascii: ";") }
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
        return (byte, name.endIndex + 1)
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
        var (decoded, places): ([UInt8], [Int]) = ([], [])
        var index = 0
        while index < bytes.count {
            places.append(starts[index])
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = Self.digit(bytes[index + 1]),
                let low = Self.digit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        places.append(starts[bytes.count])
        (bytes, starts) = (decoded, places)
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
