import Foundation

/// Lets a document wait for its fonts. `font-display: optional` and `fallback` allow a font 100 ms to load. On a busy
/// machine, or in a long document, an available font would then not be used. No reader waits for a picture, so all
/// values mean `block`.
///
/// Only the values of `@font-face` rules change, in style sheets and in the `style` elements of a document. The length
/// stays the same.
enum FontDisplay {
    /// Returns a document without values that could keep a font from being used.
    static func patient(inDocument document: Data) -> Data {
        guard names(document) else { return document }
        var bytes = [UInt8](document)
        for range in styles(in: bytes) { change(&bytes, in: range) }
        return Data(bytes)
    }

    /// Returns a style sheet without values that could keep a font from being used.
    static func patient(inStyleSheet sheet: Data) -> Data {
        guard names(sheet) else { return sheet }
        var bytes = [UInt8](sheet)
        change(&bytes, in: bytes.indices)
        return Data(bytes)
    }

    private static let property: StaticString = "font-display"

    private static func names(_ text: Data) -> Bool { text.withUnsafeBytes { $0.contains(property) } }

    // MARK: Style elements

    /// Elements whose content is text, which contains no tags.
    private static let texts: [StaticString] = [
        "textarea", "title", "script", "xmp", "iframe", "noembed", "noframes", "plaintext",
    ]

    private static func styles(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBytes { bytes in
            var ranges: [Range<Int>] = []
            var index = 0
            while let open = bytes.firstIndex(of: "<", from: index) {
                index = open + 1
                if bytes.has("!--", at: index) {
                    index = bytes.firstIndex(of: "-->", from: index + 1).map { $0 + 3 } ?? bytes.count
                } else if bytes.isTag("style", at: index) {
                    guard let start = bytes.firstIndex(of: ">", from: index) else { break }
                    let end = bytes.end(of: "style", from: start)
                    ranges.append(start + 1..<end)
                    index = end
                } else if let name = texts.first(where: { bytes.isTag($0, at: index) }) {
                    index = bytes.end(of: name, from: index)
                }
            }
            return ranges
        }
    }

    // MARK: Values

    private static func change(_ bytes: inout [UInt8], in range: Range<Int>) {
        for value in values(in: bytes, range) {
            let word = String(decoding: bytes[value], as: UTF8.self).lowercased()
            guard ["optional", "fallback", "swap"].contains(word) else { continue }
            let other = value.count < 5 ? "auto" : "block"
            let rest = repeatElement(UInt8(ascii: " "), count: value.count - other.utf8.count)
            bytes.replaceSubrange(value, with: Array(other.utf8) + rest)
        }
    }

    /// The values of the property in `@font-face` rules.
    private static func values(in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        bytes.withUnsafeBytes { all in
            let sheet = UnsafeRawBufferPointer(rebasing: all[range])
            var values: [Range<Int>] = []
            var isInFace = false
            // Each byte is examined once for braces, and once for the property.
            var index = 0
            while let found = sheet.firstIndex(of: property, from: index) {
                if let brace = sheet[index..<found].lastIndex(where: {
                    $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}")
                }) {
                    isInFace = sheet[brace] == UInt8(ascii: "{") && isFace(sheet, before: brace)
                }
                index = found + property.utf8CodeUnitCount
                let value = sheet[index...].drop(while: Charset.isSpace)
                guard isInFace, value.first == UInt8(ascii: ":") else { continue }
                let word = value.dropFirst().drop(while: Charset.isSpace).prefix(9).prefix { $0 | 0x20 &- 97 < 26 }
                values.append(range.lowerBound + word.startIndex..<range.lowerBound + word.endIndex)
            }
            return values
        }
    }

    private static func isFace(_ sheet: UnsafeRawBufferPointer, before brace: Int) -> Bool {
        var end = brace
        while end > 0, Charset.isSpace(sheet[end - 1]) { end -= 1 }
        return sheet.has("@font-face", at: end - 10)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ word: StaticString) -> Bool { firstIndex(of: word, from: 0) != nil }

    /// True for the name of a start tag.
    fileprivate func isTag(_ name: StaticString, at index: Int) -> Bool {
        guard has(name, at: index) else { return false }
        let end = index + name.utf8CodeUnitCount
        return end == count || Charset.isSpace(self[end]) || self[end] == UInt8(ascii: ">")
            || self[end] == UInt8(ascii: "/")
    }

    /// The index of the end tag, or of the end.
    fileprivate func end(of name: StaticString, from start: Int) -> Int {
        var index = start
        while let open = firstIndex(of: "</", from: index) {
            if isTag(name, at: open + 2) { return open }
            index = open + 2
        }
        return count
    }
}
