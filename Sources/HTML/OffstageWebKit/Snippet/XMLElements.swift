import Foundation

/// Counts the elements of an XML document in its bytes. WebKit takes seconds to parse millions of them, and cannot end
/// the parsing of XML early. Unlike an HTML parser, an XML parser creates exactly one element for each start tag.
struct XMLElements {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    /// The number of elements of a well-formed document in UTF-8 or another charset that contains ASCII, without those
    /// of its entities. For any other document, the number is meaningless, but counting takes equally little time.
    static func count(_ xml: Data) -> Int {
        xml.withUnsafeBytes { bytes in
            var elements = XMLElements(bytes: bytes)
            return elements.count()
        }
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func count() -> Int {
        var count = 0
        while skip(past: "<") {
            guard index < bytes.count else { break }
            switch bytes[index] {
            case UInt8(ascii: "/"): break
            case UInt8(ascii: "?"): skip(past: "?>")
            case UInt8(ascii: "!"): skipDeclaration()
            default: count += 1
            }
        }
        return count
    }

    /// Skips a comment, a CDATA section or the document type. The index is at the exclamation mark.
    private mutating func skipDeclaration() {
        if has("!--") {
            index += 3
            skip(past: "-->")
        } else if has("![CDATA[") {
            skip(past: "]]>")
        } else {
            skipDocumentType()
        }
    }

    /// Also skips the declarations of the document type. Their values may contain tags.
    private mutating func skipDocumentType() {
        var depth = 1
        while depth > 0, index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): skipValue("\"")
            case UInt8(ascii: "'"): skipValue("'")
            case UInt8(ascii: "<"):
                if has("<!--") {
                    index += 4
                    skip(past: "-->")
                } else if has("<?") {
                    skip(past: "?>")
                } else {
                    (index, depth) = (index + 1, depth + 1)
                }
            case UInt8(ascii: ">"): (index, depth) = (index + 1, depth - 1)
            default: index += 1
            }
        }
    }

    private mutating func skipValue(_ quote: StaticString) {
        index += 1
        skip(past: quote)
    }

    private func has(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        return index + length <= bytes.count && memcmp(bytes.baseAddress! + index, text.utf8Start, length) == 0
    }

    /// - Returns: false at the end of the document.
    @discardableResult
    private mutating func skip(past text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        while index + length <= bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + index, Int32(text.utf8Start[0]), bytes.count - index - length + 1)
        {
            index = UnsafeRawPointer(found) - base + length
            if memcmp(found, text.utf8Start, length) == 0 { return true }
            index -= length - 1
        }
        index = bytes.count
        return false
    }
}
