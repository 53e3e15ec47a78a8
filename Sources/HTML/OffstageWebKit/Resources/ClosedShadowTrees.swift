import Foundation

/// Opens the closed shadow trees that a document declares: `<template shadowrootmode=closed>`. An open tree looks the
/// same, but our scripts can reach its animations and images. Also works inside data URIs, where the tag may be
/// percent-encoded.
enum ClosedShadowTrees {
    /// The document with open trees. Unchanged if it declares no closed tree.
    static func opened(_ html: Data) -> Data {
        let edits = html.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes)
            reader.run()
            return reader.edits
        }
        return edits.applied(to: html)
    }

    /// One pass over the bytes of a document.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var edits: [DataURI.Edit] = []
        private var index = 0
        /// True if the bytes before the next one belong to a `<template` tag that has not ended.
        private var isInTemplate = false
        /// The element with text content in which the next byte is; nil for none.
        private var plain: StaticString?
        private var isInComment = false

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func run() {
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "<"): readAngle()
                case UInt8(ascii: ">"):
                    isInTemplate = false
                    if has("--", before: index) || has("--!", before: index) { isInComment = false }
                case UInt8(ascii: "%"): if bytes.has("%3ctemplate", at: index) { isInTemplate = true }
                case UInt8(ascii: "s"), UInt8(ascii: "S"): if isInTemplate { readMode() }
                default: break
                }
                index += 1
            }
        }

        private func has(_ word: StaticString, before end: Int) -> Bool {
            bytes.has(word, at: end - word.utf8CodeUnitCount)
        }

        private mutating func readAngle() {
            if index & 0xFFF == 0, Task.isCancelled { index = bytes.count }
            isInTemplate = bytes.has("<template", at: index)
            if let name = plain {
                if bytes.has("</", at: index), bytes.has(name, at: index + 2) { plain = nil }
            } else if !isInComment {
                isInComment = bytes.has("<!--", at: index) && !bytes.has("<!-->", at: index)
                plain = Self.plains.first { bytes.has($0, at: index + 1) }
            }
        }

        private static let plains: [StaticString] = ["textarea", "title", "style", "script", "xmp"]

        /// Reads an attribute. Changes its value `closed`.
        private mutating func readMode() {
            let word: StaticString = "shadowrootmode"
            guard bytes.has(word, at: index) else { return }
            index += word.utf8CodeUnitCount
            defer { index -= 1 }
            skip(["\u{20}", "\t", "\n", "\u{C}", "\r", "%20"])
            guard skipOne(["=", "%3d"]) else { return }
            skip(["\u{20}", "\t", "\n", "\u{C}", "\r", "%20"])
            _ = skipOne(["\"", "'", "%22", "%27", "&quot;", "&#39;"])
            let value: StaticString = "closed"
            guard bytes.has(value, at: index) else { return }
            let end = index + value.utf8CodeUnitCount
            if end < bytes.count, DataURI.isLetterOrDigit(bytes[end]) || bytes[end] == UInt8(ascii: "_") { return }
            // Text that looks like a tag is shown as written.
            if plain == nil { edits.append(DataURI.Edit(range: index..<end, bytes: Array("open".utf8))) }
            index = end
        }

        private mutating func skip(_ words: [StaticString]) { while skipOne(words) {} }

        private mutating func skipOne(_ words: [StaticString]) -> Bool {
            guard let word = words.first(where: { bytes.has($0, at: index) }) else { return false }
            index += word.utf8CodeUnitCount
            return true
        }
    }
}
