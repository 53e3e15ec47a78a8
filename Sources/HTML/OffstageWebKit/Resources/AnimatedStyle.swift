import Foundation

/// Moves the finite animations of an SVG image's style sheet to their end, as if each had begun long ago. Endless
/// animations stay at their start.
enum AnimatedStyle {
    /// The changes of a style sheet, or of an attribute `style`, in the order of the text.
    static func edits(of sheet: ArraySlice<UInt8>) -> [DataURI.Edit] {
        sheet.withUnsafeBytes { bytes in
            var edits: [DataURI.Edit] = []
            var block = Block()
            var index = 0
            while let found = bytes.firstIndex(of: property, from: index) {
                index = found + property.utf8CodeUnitCount
                guard isDeclaration(bytes, at: found), let value = value(in: bytes, from: index) else { continue }
                block.move(to: found, in: bytes)
                if let delays = delays(bytes[value], isInEndlessBlock: block.isEndless) {
                    let place = sheet.startIndex + value.upperBound
                    edits.append(
                        DataURI.Edit(range: place..<place, bytes: Array(";animation-delay:\(delays)!important".utf8)))
                }
                index = value.upperBound
            }
            return edits
        }
    }

    private static let property: StaticString = "animation"
    private static let ended = "-99999s"

    /// The block of declarations around an index. Each byte is examined once.
    private struct Block {
        private var end = 0
        private(set) var isEndless = false

        mutating func move(to index: Int, in bytes: UnsafeRawBufferPointer) {
            if index < end { return }
            let start = bytes[end..<index].lastIndex(of: UInt8(ascii: "{")) ?? end
            end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
            let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            isEndless = block.firstIndex(of: "infinite", from: 0) != nil
        }
    }

    /// True if a property's name starts here, possibly after a prefix.
    private static func isDeclaration(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        var place = index
        if bytes.has("-webkit-", at: place - 8) { place -= 8 }
        while place > 0, Charset.isSpace(bytes[place - 1]) { place -= 1 }
        return place == 0 || "{;/".utf8.contains(bytes[place - 1])
    }

    /// The value of `animation` or `animation-name`. Nil for other properties.
    private static func value(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var rest = bytes[start...]
        if bytes.has("-name", at: start) { rest = rest.dropFirst(5) }
        rest = rest.drop(while: Charset.isSpace)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst()
        return rest.startIndex..<(rest.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "}") } ?? bytes.count)
    }

    /// The delays of a list of animations. Nil if none of them has an end.
    private static func delays(_ value: Slice<UnsafeRawBufferPointer>, isInEndlessBlock: Bool) -> String? {
        if !isInEndlessBlock { return ended }
        let parts = split(value)
        let areEndless = parts.map { $0.contains("infinite") }
        // The number of iterations may be in another declaration.
        guard areEndless.contains(true), areEndless.contains(false) else { return nil }
        return zip(parts, areEndless).map { $1 ? delay($0) : ended }.joined(separator: ",")
    }

    private static func split(_ value: Slice<UnsafeRawBufferPointer>) -> [Substring] {
        var depth = 0
        return String(decoding: value, as: UTF8.self).split { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character == "," && depth <= 0
        }
    }

    /// The second time of an animation.
    private static func delay(_ part: Substring) -> String {
        let times = part.split(whereSeparator: \.isWhitespace).filter { word in
            word.hasSuffix("s") && Double(word.dropLast(word.hasSuffix("ms") ? 2 : 1)) != nil
        }
        return times.count > 1 ? String(times[1]) : "0s"
    }
}
