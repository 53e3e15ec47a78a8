/// Reads the escapes of URLs and of forms (`%C3%A9`), in one pass over the bytes.
enum PercentEscapes {
    /// Nil if the text is not UTF-8 or has an invalid escape.
    ///
    /// - Parameter isForm: `+` is a space.
    static func decoded(_ text: some Sequence<UInt8>, isForm: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isForm: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    static func decoded(_ text: String) -> String? { decoded(text.utf8) }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
