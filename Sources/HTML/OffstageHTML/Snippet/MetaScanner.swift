import Foundation

/// Finds the charset that a `<meta>` element declares, in bytes of any superset of ASCII. It reads both `<meta charset="x">`
/// and `<meta http-equiv="Content-Type" content="text/html; charset=x">`. It works on bytes for speed: it runs for every
/// document, even if the picture comes from the cache.
struct MetaScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ head: Data) { bytes = Array(head) }

    mutating func charset() -> String? {
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = start
            if skip("<!--") {
                while place < bytes.count, !skip("-->") { place += 1 }
            } else if skip("<meta"), place < bytes.count, Charset.isSpace(bytes[place]) {
                if let name = nameInTag() { return name }
            } else {
                place = start + 1
            }
        }
        return nil
    }

    /// The value of `encoding` in an XML declaration at the start.
    mutating func encoding() -> String? {
        guard skip("<?xml") else { return nil }
        defer { place = 0 }
        return name(behind: "encoding")
    }

    /// The charset named between here and the tag's end.
    private mutating func nameInTag() -> String? { name(behind: "charset") }

    private mutating func name(behind word: StaticString) -> String? {
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            guard skip(word) else {
                place += 1
                continue
            }
            skipSpaces()
            guard skip("=") else { continue }
            skipSpaces()
            if !skip("\"") { _ = skip("'") }
            skipSpaces()
            let name = bytes[place...].prefix(while: Self.isNamePart)
            if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    /// Advances past a word, given in lower case, if the bytes here match it in any case.
    private mutating func skip(_ word: StaticString) -> Bool {
        guard place + word.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount {
            let byte = bytes[place + offset]
            let lower = (65...90).contains(byte) ? byte + 32 : byte
            if lower != word.utf8Start[offset] { return false }
        }
        place += word.utf8CodeUnitCount
        return true
    }

    private mutating func skipSpaces() {
        while place < bytes.count, Charset.isSpace(bytes[place]) { place += 1 }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
