import Foundation
import Offstage

/// A single pass over the bytes of a document, for `SourceText`.
struct SourceTextScanner {
    let bytes: UnsafeRawBufferPointer
    var index = 0
    /// True inside an `@font-face` rule, whose `font-family` names a font and does not use one.
    var isInFace = false
    /// The number of bytes that have been read ahead of the pass, in search of lists of fonts.
    var bytesAhead = 0
    /// The number of bytes that have been read again, in search of the starts of URLs.
    var bytesBehind = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func run(into text: inout SourceText) {
        var nextCheck = Self.checked
        while index < bytes.count {
            if index >= nextCheck {
                if Task.isCancelled { return }
                nextCheck = index + Self.checked
            }
            let byte = bytes[index]
            switch byte {
            case 0x80...: addCharacter(to: &text)
            case UInt8(ascii: "\\"):
                let (code, length) = number(at: index + 1, radix: 16, most: 6)
                if length > 0 { text.add(code) }
            case UInt8(ascii: "&"): addReference(to: &text)
            case UInt8(ascii: "<"):
                if index + 1 < bytes.count, bytes[index + 1] | 0x20 &- 97 < 26 { text.addStartTag() }
                if has("<audio", at: index) || has("<video", at: index) { text.addMedia() }
            case UInt8(ascii: "@") where has("@font-face", at: index): isInFace = true
            case UInt8(ascii: "}"): isInFace = false
            case UInt8(ascii: "d"), UInt8(ascii: "D"):
                if has("data:text", at: index) || has("data:application", at: index) { text.isUnclear = true }
                if has("data:audio", at: index) || has("data:video", at: index) { text.addMedia() }
                if has("data:image", at: index),
                    let image = DataImage(UnsafeRawBufferPointer(rebasing: bytes[index...]))
                {
                    text.add(image)
                }
            case UInt8(ascii: "f"), UInt8(ascii: "F"):
                if !isInFace, !text.mayLackGeneric {
                    // Deeply nested lists are checked in the document itself.
                    let end = bytesAhead > 4 * bytes.count + Self.checked ? "" : fontList()
                    if let end { text.addFontList(end) }
                }
                if has("font", at: index) { text.addFontDeclaration(declaration()) }
                if has("fixed", at: index) { addFixed(to: &text) }
            case UInt8(ascii: "s"), UInt8(ascii: "S"):
                if has("sticky", at: index) { text.addViewport(isCertain: false) }
                if has("shadowroot", at: index) { text.addShadowRoot() }
                if has("srcdoc", at: index) { text.addFrameDocument() }
                if has("src=", at: index), isFile(at: index + 4) { text.addFile() }
            case UInt8(ascii: "a"), UInt8(ascii: "A"):
                if has("absolute", at: index) { text.addViewport(isCertain: false) }
            case UInt8(ascii: "("):
                if isHeightFeature { text.addViewport(isCertain: true) }
            case UInt8(ascii: "h"), UInt8(ascii: "H"):
                if has("height", at: index), isPercentage { text.addViewport(isCertain: false) }
                if has("hyphens", at: index) { text.addHyphens() }
            case UInt8(ascii: "l"), UInt8(ascii: "L"):
                if has("lang=", at: index) { text.add(language: language) }
            case UInt8(ascii: "v"), UInt8(ascii: "V"):
                if isViewportUnit { text.addViewport(isCertain: true) }
                if isDynamicUnit { text.addDynamicUnit() }
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                if has("url(", at: index), isFile(at: index + 4) { text.addFile() }
            default: break
            }
            index += 1
        }
    }

    /// Compares all bytes but the first, which the caller has checked, without regard to case. The word is in lower case. Most
    /// words already differ in the second letter, in base64 too.
    func has(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start + length <= bytes.count else { return false }
        var offset = 1
        while offset < length {
            let byte = bytes[start + offset]
            let lower = byte &- 65 < 26 ? byte + 32 : byte
            if lower != word.utf8Start[offset] { return false }
            offset += 1
        }
        return true
    }

    /// True if the URL that starts here, perhaps in quotes, names neither data nor a part of the document.
    func isFile(at start: Int) -> Bool {
        let place = bytes.indices.contains(start) && [0x22, 0x27].contains(bytes[start]) ? start + 1 : start
        guard place < bytes.count, bytes[place] != UInt8(ascii: "#") else { return false }
        return bytes[place] | 0x20 != UInt8(ascii: "d") || !has("data:", at: place)
    }

    /// The value of the attribute `lang` that starts here.
    var language: String {
        let value = bytes[(index + 5)...].prefix(40).drop { $0 == 0x22 || $0 == 0x27 }
        return String(decoding: value.prefix { $0 == UInt8(ascii: "-") || $0 | 0x20 &- 97 < 26 }, as: UTF8.self)
    }

    /// The number of bytes between two checks for cancellation of the task.
    static let checked = 65_536

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
