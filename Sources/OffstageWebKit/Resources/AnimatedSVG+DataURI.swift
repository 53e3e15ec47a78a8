import Foundation

/// SVG images in the data URIs of a document or a style sheet. Only the bytes that have to change do: all others mean the same as
/// before, in an attribute as in a style sheet, whatever escapes they are written with.
extension AnimatedSVG {
    /// A snippet's document, without motion in its images, and with open shadow trees.
    static func prepared(_ snippet: Snippet, _ source: SourceText) async -> Data {
        let html = source.namesShadowRoots ? await opened(snippet.html) : snippet.html
        return await stopped(inText: AnimatedImage.stopped(inText: html))
    }

    @concurrent
    private static func opened(_ html: Data) async -> Data { ClosedShadowTrees.opened(html) }

    /// A document or a style sheet without motion in the SVG images of its data URIs.
    static func stopped(inText text: Data) async -> Data {
        text.withUnsafeBytes { $0.firstIndex(of: mark, from: 0) } == nil ? text : await changed(text)
    }

    private static let mark: StaticString = "data:image/svg+xml"

    /// Off the main thread: a document may be one large image.
    @concurrent
    private static func changed(_ text: Data) async -> Data {
        let text = Array(text)
        var result = Data()
        // Up to here the bytes are in `result`.
        var copied = 0
        var index = 0
        while let start = text.withUnsafeBytes({ $0.firstIndex(of: mark, from: index) }) {
            index = start + mark.utf8CodeUnitCount
            let head = text[index...].prefix(64).prefix { $0 != UInt8(ascii: ",") }
            guard head.endIndex < text.endIndex, text[head.endIndex] == UInt8(ascii: ",") else { continue }
            let quote = start > 0 ? text[start - 1] : 0
            let equals = UInt8(ascii: "=")
            let isAttribute = quote == equals || text[..<max(0, start - 1)].last { $0 > 0x20 } == equals
            let content = content(of: text[(head.endIndex + 1)...], after: quote, isAttribute: isAttribute)
            index = content.endIndex
            let isBase64 = String(decoding: head, as: UTF8.self).contains("base64")
            for edit in isBase64 ? base64Edits(of: content) : edits(of: content, isAttribute: isAttribute) {
                result += text[copied..<edit.range.lowerBound]
                result += edit.bytes
                copied = edit.range.upperBound
            }
        }
        return copied == 0 ? Data(text) : result + text[copied...]
    }

    private static func content(
        of text: ArraySlice<UInt8>, after quote: UInt8, isAttribute: Bool
    ) -> ArraySlice<UInt8> {
        var end = text.startIndex
        while end < text.endIndex, !ends(text[end], after: quote) {
            // A style sheet escapes a quote with a backslash.
            end += !isAttribute && text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text[..<min(end, text.endIndex)]
    }

    /// Returns true if a byte ends a data URI that follows the byte `quote`.
    private static func ends(_ byte: UInt8, after quote: UInt8) -> Bool {
        switch quote {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): byte == quote
        case UInt8(ascii: "("): byte == UInt8(ascii: ")")
        default: byte <= 0x20 || "\"'<>)".utf8.contains(byte)
        }
    }

    private static func base64Edits(of content: ArraySlice<UInt8>) -> [Edit] {
        let code = content.prefix { isPlain($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        let padded = Data(code) + Data(repeating: UInt8(ascii: "="), count: -code.count & 3)
        // Behind it may be padding, a fragment or a descriptor. A code that goes on in another form stays as it is.
        if let next = content[code.endIndex...].first, "%&\\\n\r\t".utf8.contains(next) { return [] }
        guard let file = Data(base64Encoded: padded) else { return [] }
        let changed = stopped(file)
        if changed == file { return [] }
        let padding = content[code.endIndex...].prefix { $0 == UInt8(ascii: "=") }
        return [Edit(range: code.startIndex..<padding.endIndex, bytes: Array(changed.base64EncodedData()))]
    }

    private static func edits(of content: ArraySlice<UInt8>, isAttribute: Bool) -> [Edit] {
        var characters = isAttribute ? DataURICharacters(attribute: content) : DataURICharacters(content)
        characters.decode()
        // In a style sheet that is a data URI itself, it is encoded twice.
        if characters.bytes.first == UInt8(ascii: "%") { characters.decode() }
        let file = characters.bytes
        // Where a quote is missing, this is the rest of the document.
        guard mayMove(file), file.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"),
            file.withUnsafeBytes({ $0.firstIndex(of: "<svg", from: 0) }) != nil
        else { return [] }
        return edits(of: file).map { edit in
            let start = characters.starts[edit.range.lowerBound]
            let bytes = edit.bytes.flatMap { isPlain($0) ? [$0] : Array(String(format: "%%%02X", Int($0)).utf8) }
            return Edit(range: start..<characters.starts[edit.range.upperBound], bytes: bytes)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
