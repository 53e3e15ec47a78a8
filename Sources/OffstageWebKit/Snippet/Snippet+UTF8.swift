import Foundation

extension Snippet {
    /// The same document in UTF-8, if it is in UTF-16. Its tags and data URIs can then be found in its bytes.
    func inUTF8() async -> Snippet {
        guard let isBigEndian = Charset.utf16(html, charset) else { return self }
        var snippet = self
        snippet.html = await Self.decoded(html, isBigEndian)
        snippet.charset = "UTF-8"
        return snippet
    }

    /// Off the main thread: a document may be large.
    @concurrent
    private static func decoded(_ utf16: Data, _ isBigEndian: Bool) async -> Data {
        let units = utf16.withUnsafeBytes { bytes in
            // Half a unit at the end becomes a replacement character, as in a browser.
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

extension Charset {
    /// The order of the bytes of a document in UTF-16; nil for all others. As in browsers, a byte order mark decides before any name.
    ///
    /// - Returns: true for the more significant byte first.
    static func utf16(_ html: Data, _ charset: String) -> Bool? {
        if html.starts(with: [0xFE, 0xFF]) { return true }
        if html.starts(with: [0xFF, 0xFE]) { return false }
        if html.starts(with: [0xEF, 0xBB, 0xBF]) { return nil }
        switch charset.lowercased() {
        case "utf-16be", "unicodefffe": return true
        case "utf-16", "utf-16le", "csunicode", "ucs-2", "unicode", "iso-10646-ucs-2", "unicodefeff": return false
        default: return nil
        }
    }
}
