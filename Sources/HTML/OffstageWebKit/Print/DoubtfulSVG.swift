import Foundation

/// Finds SVG images that WebKit prints incompletely: images with masks, with clip paths of more than one shape, or with
/// nested images that may have these. Also finds images with repeating gradients. `pixels.js` does the same for data
/// URIs.
enum DoubtfulSVG {
    /// The result may be true for an image that WebKit prints correctly, if these words are only in a comment.
    static func isDoubtful(_ file: Data) -> Bool {
        file.withUnsafeBytes { bytes in
            var index = 0
            while let start = bytes.firstIndex(of: "<", from: index) {
                index = start + 1
                let name = localName(in: bytes, at: index)
                if bytes.has("mask", at: name) { return true }
                if bytes.has("clippath", at: name), isMask(bytes, from: name) { return true }
            }
            return hasWord("plus-lighter", in: bytes) || hasWord("data:image/svg", in: bytes)
                || hasRepeatingGradient(bytes)
        }
    }

    /// The start of an element's name after its prefix.
    private static func localName(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        let prefix = bytes[start...].prefix(32)
        let colon = prefix.firstIndex { !($0 | 0x20 &- 97 < 26 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")) }
        guard let colon, bytes[colon] == UInt8(ascii: ":") else { return start }
        return colon + 1
    }

    /// - Parameter start: The index of the word `clipPath` in its start tag.
    private static func isMask(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var elements = 0
        var index = start
        while index < bytes.count {
            if bytes.has("clip-path", at: index) { return true }
            if bytes[index] == UInt8(ascii: "<") {
                let isEnd = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
                let name = localName(in: bytes, at: index + (isEnd ? 2 : 1))
                if isEnd, bytes.has("clippath", at: name) { return elements > 1 }
                if !isEnd {
                    if ["text", "use"].contains(where: { bytes.has($0, at: name) }) { return true }
                    elements += 1
                }
            }
            index += 1
        }
        return true
    }

    /// True if a gradient repeats beyond its ends, which poppler's cairo backend shows wrongly.
    private static func hasRepeatingGradient(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while let start = bytes.firstIndex(of: "spreadMethod", from: index) {
            index = start + 12
            let value = bytes[index...].prefix(20).drop { !($0 | 0x20 &- 97 < 26) }
            if ["repeat", "reflect"].contains(where: { bytes.has($0, at: value.startIndex) }) { return true }
        }
        return false
    }

    private static func hasWord(_ word: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.firstIndex(of: word, from: 0) != nil
    }
}
