import Foundation

/// An image in a data URI, as found in the bytes of a document or style sheet.
struct DataImage {
    /// Hash of the URI. WebKit decodes equal images once.
    let hash: Int
    let pixels: Int

    /// The maximum length of the header, in bytes. Enough for the data that cameras write before a picture's size.
    private static let longestHead = 262_144

    /// - Parameter bytes: The bytes from the word `data:` on. The result is nil if they are not an image in base64.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let mark: StaticString = ";base64"
        guard let comma = bytes.prefix(200).firstIndex(of: UInt8(ascii: ",")),
            bytes.has(mark, at: comma - mark.utf8CodeUnitCount)
        else { return nil }
        var hasher = Hasher()
        var (head, bits, count) = ([UInt8](), UInt32(0), 0)
        for byte in bytes[(comma + 1)...] {
            let value = Self.values[Int(byte)]
            if value > 63 {
                if value == Self.space { continue }
                break
            }
            hasher.combine(byte)
            if head.count >= Self.longestHead { continue }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                head.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard let pixels = head.withUnsafeBytes({ ImageHeader.pixels(of: $0) }) else { return nil }
        self.pixels = pixels
        hash = hasher.finalize()
    }

    private static let space: UInt8 = 64

    /// The value of each base64 character. Greater than 64 for characters that end the data.
    private static let values: [UInt8] = {
        var all = [UInt8](repeating: 255, count: 256)
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, sign) in signs.utf8.enumerated() { all[Int(sign)] = UInt8(value) }
        for sign in " \t\r\n".utf8 { all[Int(sign)] = space }
        return all
    }()
}
