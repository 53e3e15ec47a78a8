import Foundation
import Offstage

/// The tokens of a content stream (PDF 32000-1, 7.2).
struct PDFTokens: IteratorProtocol {
    private let bytes: [UInt8]
    /// The offset of the first byte after the last token.
    private(set) var place = 0

    init(_ content: Data) { bytes = Array(content) }

    enum Token {
        case name(String)
        case string(Data)
        case number(Double)
        /// An operator. Brackets are skipped.
        case `operator`(String)
    }

    mutating func next() -> Token? {
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "/"): return .name(word())
            case UInt8(ascii: "("): return .string(literal())
            case UInt8(ascii: "<") where place < bytes.count && bytes[place] != UInt8(ascii: "<"):
                return .string(hexadecimal())
            case UInt8(ascii: "%"): while place < bytes.count, bytes[place] != 10, bytes[place] != 13 { place += 1 }
            case _ where Self.isSpace(byte) || Self.isDelimiter(byte): continue
            default:
                place -= 1
                let word = word()
                return Self.isNumber(byte) ? .number(Double(word) ?? 0) : .operator(word)
            }
        }
        return nil
    }

    private mutating func word() -> String {
        let start = place
        while place < bytes.count, !Self.isSpace(bytes[place]), !Self.isDelimiter(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func hexadecimal() -> Data {
        var digits: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            if let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue { digits.append(UInt8(digit)) }
            place += 1
        }
        place += 1
        if !digits.count.isMultiple(of: 2) { digits.append(0) }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    private mutating func literal() -> Data {
        var data = Data()
        var depth = 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return data }
            case UInt8(ascii: "\\"):
                if let escaped = escaped() { data.append(escaped) }
                continue
            default: break
            }
            data.append(byte)
        }
        return data
    }

    /// The byte after a backslash; nil for the end of a line.
    private mutating func escaped() -> UInt8? {
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case 10: return nil
        case 13:
            if place < bytes.count, bytes[place] == 10 { place += 1 }
            return nil
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = Int(byte - UInt8(ascii: "0"))
            var digits = 1
            while digits < 3, place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[place]) {
                value = value * 8 + Int(bytes[place] - UInt8(ascii: "0"))
                place += 1
                digits += 1
            }
            return UInt8(truncatingIfNeeded: value)
        default: return byte
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) || byte == 0 }
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
            true
        default: false
        }
    }

    /// True if a token with this first byte is a number.
    private static func isNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
