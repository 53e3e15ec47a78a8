import Foundation

/// An image in a data URI, as it stands in a document's or a style sheet's bytes.
struct DataImage {
    /// Of the URI: the same twice is decoded once.
    let hash: Int
    let pixels: Int

    /// Enough for what cameras put before a picture's size.
    private static let longestHead = 262_144

    /// - Parameter bytes: from the word `data:` on; nil where no image in base64 begins.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let comma = bytes.prefix(200).firstIndex(of: UInt8(ascii: ",")),
            String(decoding: bytes[..<comma], as: UTF8.self).lowercased().hasSuffix(";base64")
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

    /// What each sign of base64 stands for; more than 64 for what ends it.
    private static let values: [UInt8] = {
        var all = [UInt8](repeating: 255, count: 256)
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, sign) in signs.utf8.enumerated() { all[Int(sign)] = UInt8(value) }
        for sign in " \t\r\n".utf8 { all[Int(sign)] = space }
        return all
    }()
}
