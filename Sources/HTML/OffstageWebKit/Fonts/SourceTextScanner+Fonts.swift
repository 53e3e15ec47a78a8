import Foundation
import Offstage

/// Declarations of fonts, and lists of font families.
extension SourceTextScanner {
    /// The hash of the declaration or attribute that starts here.
    func declaration() -> Int {
        let end = bytes[index...].prefix(200).prefix {
            $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ">")
        }
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: end))
        return hasher.finalize()
    }

    /// The last name, in lower case, of the list of font families that starts here. Nil if none does.
    mutating func fontList() -> String? {
        var place = index
        if has("font-family", at: place) {
            place += 11
        } else if has("font", at: place) || has("face", at: place) {
            place += 4
        } else {
            return nil
        }
        let isFace = bytes[index + 1] | 0x20 == UInt8(ascii: "a")
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") || !isFace && bytes[place] == UInt8(ascii: ":")
        else {
            return nil
        }
        return lastWord(from: place + 1)
    }

    /// The last name up to the end of the declaration or attribute. A quote directly after a letter or symbol ends an
    /// attribute.
    mutating func lastWord(from start: Int) -> String {
        var word: [UInt8] = []
        var quote: UInt8?
        var isAfterSpace = true
        for byte in bytes[start...].prefix(2000) {
            bytesAhead += 1
            if let open = quote {
                if byte == open { quote = nil } else { word.append(byte) }
                isAfterSpace = false
                continue
            }
            switch byte {
            case UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "!"):
                return String(decoding: word, as: UTF8.self).lowercased()
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if !isAfterSpace { return String(decoding: word, as: UTF8.self).lowercased() }
                quote = byte
                word = []
            case UInt8(ascii: ","):
                word = []
                isAfterSpace = true
            case _ where Self.isSpace(byte):
                isAfterSpace = true
            default:
                if isAfterSpace { word = [] }
                isAfterSpace = false
                word.append(byte)
            }
        }
        return String(decoding: word, as: UTF8.self).lowercased()
    }
}
