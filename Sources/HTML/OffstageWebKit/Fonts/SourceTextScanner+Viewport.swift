import Foundation
import Offstage

/// Dependence on the height of the viewport.
extension SourceTextScanner {
    /// True for a unit of the viewport's height, as in `100vh`, `100dvh` and `5vmin`.
    var isViewportUnit: Bool {
        guard ["vh", "vb", "vmin", "vmax"].contains(where: { has($0, at: index) }), index > 0 else { return false }
        func isDigit(_ place: Int) -> Bool { place >= 0 && bytes[place] &- 48 < 10 }
        let isKind = [UInt8(ascii: "s"), UInt8(ascii: "l"), UInt8(ascii: "d")].contains(bytes[index - 1] | 0x20)
        return isDigit(isKind ? index - 2 : index - 1)
    }

    /// True for a unit of the dynamic viewport, as in `100dvh`. Any word with these letters is close enough.
    var isDynamicUnit: Bool {
        index >= 2 && bytes[index - 1] | 0x20 == UInt8(ascii: "d") && bytes[index - 2] &- 48 < 10
    }

    /// True for a media feature in parentheses that depends on the viewport's height.
    var isHeightFeature: Bool {
        var place = index + 1
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        func starts(_ word: StaticString) -> Bool {
            place < bytes.count && bytes[place] | 0x20 == word.utf8Start[0] && has(word, at: place)
        }
        if starts("min-") || starts("max-") { place += 4 }
        return starts("height") || starts("device-") || starts("aspect-ratio") || starts("orientation")
    }

    /// True if the declaration or the attribute `height` that starts here has a percentage, or a keyword for all
    /// available space.
    var isPercentage: Bool {
        if index >= 5, bytes[index - 1] == UInt8(ascii: "-"), has("line-", at: index - 5),
            bytes[index - 5] | 0x20 == 0x6C
        {
            return false
        }
        var place = index + 6
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") else {
            return false
        }
        // The first byte may be an attribute's quote.
        for other in (place + 1)..<min(place + 80, bytes.count) {
            switch bytes[other] {
            case UInt8(ascii: "%"): return true
            case UInt8(ascii: "s") where has("stretch", at: other), UInt8(ascii: "f") where has("fill-", at: other):
                return true
            case UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: ">"): return false
            case 0x22, 0x27: if other > place + 1 { return false }
            default: break
            }
        }
        return false
    }

    /// Records a fixed background or position. The layout of a table may also be `fixed`.
    mutating func addFixed(to text: inout SourceText) {
        // Bytes outside of URLs.
        var rest = 200
        var place = index - 1
        while place >= 0, rest > 0 {
            switch bytes[place] {
            case UInt8(ascii: "p"), UInt8(ascii: "P"):
                if has("position:", at: place) || has("position :", at: place) {
                    return text.addViewport(isCertain: false)
                }
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                if has("background", at: place) { return text.addViewport(isCertain: true) }
            case UInt8(ascii: ")"):
                guard let start = startOfURL(endingAt: place) else { return text.addViewport(isCertain: true) }
                place = start
            case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ">"): return
            default: break
            }
            place -= 1
            rest -= 1
        }
    }

    /// The position of the opening parenthesis of the URL that ends here, which may contain any character; `end` if the
    /// parenthesis belongs to another function.
    ///
    /// - Returns: nil for a document with so many long URLs that the search would take too long.
    mutating func startOfURL(endingAt end: Int) -> Int? {
        let last = end > 0 ? bytes[end - 1] : 0
        let quote = last == 0x22 || last == 0x27 ? last : nil
        var place = quote == nil ? end - 1 : end - 2
        while place > 0 {
            bytesBehind += 1
            if bytesBehind > 4 * bytes.count { return nil }
            let byte = bytes[place]
            if let quote {
                if byte == quote { return bytes[place - 1] == UInt8(ascii: "(") ? place - 1 : end }
            } else if byte == UInt8(ascii: "(") {
                let isURL = place >= 3 && bytes[place - 3] | 0x20 == UInt8(ascii: "u") && has("url(", at: place - 3)
                return isURL ? place : end
            } else if Self.isSpace(byte) || byte == 0x22 || byte == 0x27 || byte == UInt8(ascii: ")") {
                return end
            }
            place -= 1
        }
        return end
    }
}
