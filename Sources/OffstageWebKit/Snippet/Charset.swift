import Foundation

/// Which character set a document's bytes are in, as browsers find it: byte order mark, then `<meta>`.
enum Charset {
    /// The charset that the document itself names, or nil. It may be a name nobody knows; WebKit then takes UTF-8.
    ///
    /// HTML asks for the first 1,024 bytes to be looked at ("prescan a byte stream to determine its encoding"); like
    /// browsers do, this looks a little further where a head has much in it.
    static func declared(in html: Data) -> String? {
        if html.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
        if html.starts(with: [0xFE, 0xFF]) { return "UTF-16BE" }
        if html.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
        var scanner = MetaScanner(html.prefix(4096))
        guard let name = scanner.charset() else { return nil }
        // A document that could be read up to here is in no form of UTF-16; HTML takes the name for UTF-8.
        return name.lowercased().hasPrefix("utf-16") ? "UTF-8" : name
    }

    /// The offset of the first byte that is not UTF-8, or nil.
    static func firstInvalidUTF8(in html: Data) -> Int? {
        html.withUnsafeBytes { bytes -> Int? in
            if String(validating: bytes, as: UTF8.self) != nil { return nil }
            var decoder = Unicode.UTF8.ForwardParser()
            var iterator = bytes.makeIterator()
            var offset = 0
            while true {
                switch decoder.parseScalar(from: &iterator) {
                case .valid(let scalar): offset += scalar.count
                case .error: return offset
                case .emptyInput: return nil
                }
            }
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
