import Foundation

extension Snippet {
    /// The same document in UTF-8, if it is in UTF-16. Its tags and data URIs can then be found in its bytes.
    package func inUTF8() -> Snippet {
        let withoutMark = type == .html ? nil : Charset.utf16WithoutMark(html)
        guard let isBigEndian = Charset.utf16(html, charset) ?? withoutMark else { return self }
        var snippet = self
        snippet.html = Charset.utf8(html, isBigEndian: isBigEndian)
        snippet.charset = "UTF-8"
        return snippet
    }
}

extension Charset {
    /// The byte order of a document in UTF-16; nil for any other document. As in browsers, a byte order mark overrides
    /// any name.
    ///
    /// - Returns: true for big-endian.
    package static func utf16(_ html: Data, _ charset: String) -> Bool? {
        if html.starts(with: [0xFE, 0xFF]) { return true }
        if html.starts(with: [0xFF, 0xFE]) { return false }
        if html.starts(with: [0xEF, 0xBB, 0xBF]) { return nil }
        switch charset.lowercased() {
        case "utf-16be", "unicodefffe": return true
        case "utf-16", "utf-16le", "csunicode", "ucs-2", "unicode", "iso-10646-ucs-2", "unicodefeff": return false
        default: return nil
        }
    }

    /// The byte order of an XML file without a named charset. WebKit recognizes UTF-16 by the bytes of `<?`.
    package static func utf16WithoutMark(_ xml: Data) -> Bool? {
        if xml.starts(with: [0x00, 0x3C, 0x00, 0x3F]) { return true }
        return xml.starts(with: [0x3C, 0x00, 0x3F, 0x00]) ? false : nil
    }

    /// An incomplete code unit at the end becomes a replacement character, as in a browser.
    package static func utf8(_ utf16: Data, isBigEndian: Bool) -> Data {
        let units = utf16.withUnsafeBytes { bytes in
            [UInt16](unsafeUninitializedCapacity: (bytes.count + 1) / 2) { units, count in
                for index in 0..<bytes.count / 2 {
                    let unit = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                    units.initializeElement(at: index, to: isBigEndian ? unit.bigEndian : unit.littleEndian)
                }
                if bytes.count % 2 == 1 { units.initializeElement(at: bytes.count / 2, to: 0xFFFD) }
                count = (bytes.count + 1) / 2
            }
        }
        let text = String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
        return Data(text.utf8)
    }
}
