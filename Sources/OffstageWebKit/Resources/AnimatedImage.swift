import Foundation

/// Makes animated images show their first frame, whenever the picture is taken. WebKit starts an animation when it is first
/// painted. It would advance in a document painted in tiles, or in one with the same image as the document before. So every
/// frame's duration is set to several minutes or more, which changes neither a length nor a pixel.
enum AnimatedImage {
    /// The bytes of an image file with long frame durations. Any other file is returned unchanged.
    static func slowed(_ file: Data) -> Data {
        guard mayMove(head: file.prefix(48)) else { return file }
        var bytes = [UInt8](file)
        return slow(&bytes) ? Data(bytes) : file
    }

    /// A document or a style sheet with long frame durations in the images of its data URIs.
    static func slowed(inText text: Data) -> Data {
        var result = text
        var start = text.startIndex
        while let found = encoded(in: text, from: start) {
            start = found
            let end = text[start...].firstIndex { !isBase64($0) } ?? text.endIndex
            guard let head = Data(base64Encoded: padded(text[start..<end].prefix(64))), mayMove(head: head),
                let file = Data(base64Encoded: padded(text[start..<end]))
            else { continue }
            var bytes = [UInt8](file)
            if slow(&bytes) {
                let changed = Data(bytes).base64EncodedData().prefix(end - start)
                result.replaceSubrange(start..<end, with: changed)
            }
            start = end
        }
        return result
    }

    /// The index at which the next base64 data starts.
    private static func encoded(in text: Data, from start: Int) -> Int? {
        text.withUnsafeBytes { bytes in
            let mark: StaticString = ";base64,"
            var offset = start - text.startIndex
            guard let base = bytes.baseAddress else { return nil }
            while offset + 8 <= bytes.count,
                let found = memchr(base + offset, Int32(UInt8(ascii: ";")), bytes.count - offset - 7)
            {
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, mark.utf8Start, 8) == 0 { return text.startIndex + offset + 8 }
                offset += 1
            }
            return nil
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func padded(_ text: Data) -> Data {
        // A copy: Foundation ends the program where nothing is appended to an empty slice.
        Data(text) + Data(repeating: UInt8(ascii: "="), count: -text.count & 3)
    }

    /// Checks the first bytes: most images are plain PNGs and JPEGs, which need not be decoded.
    private static func mayMove(head: Data) -> Bool {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return head.range(of: Data("acTL".utf8)) != nil }
        return head.starts(with: Data("GIF8".utf8)) || head.starts(with: Data("RIFF".utf8))
            || head.dropFirst(4).starts(with: Data("ftypavis".utf8))
    }

    private static func slow(_ bytes: inout [UInt8]) -> Bool {
        if bytes.starts(with: Array("GIF8".utf8)) { return slowGIF(&bytes) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return slowPNG(&bytes) }
        if bytes.starts(with: Array("RIFF".utf8)), has("WEBP", at: 8, of: bytes) { return slowWebP(&bytes) }
        if has("ftypavis", at: 4, of: bytes) { return slowAVIF(&bytes) }
        return false
    }

    private static func has(_ name: StaticString, at index: Int, of bytes: [UInt8]) -> Bool {
        let count = name.utf8CodeUnitCount
        return index + count <= bytes.count && (0..<count).allSatisfy { bytes[index + $0] == name.utf8Start[$0] }
    }

    /// Sets the delays in graphic control extensions, in hundredths of a second (GIF89a, section 23).
    private static func slowGIF(_ bytes: inout [UInt8]) -> Bool {
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard bytes.count > 13 else { return false }
        var index = 13 + table(bytes[10])
        var isChanged = false
        while index + 10 < bytes.count {
            switch bytes[index] {
            case 0x21:
                if bytes[index + 1] == 0xF9, bytes[index + 2] == 4 {
                    (bytes[index + 4], bytes[index + 5]) = (0xFF, 0xFF)
                    isChanged = true
                }
                index += 2
            case 0x2C: index += 11 + table(bytes[index + 9])
            default: return isChanged
            }
            // Skips the data blocks up to an empty one.
            while index < bytes.count, bytes[index] != 0 { index += Int(bytes[index]) + 1 }
            index += 1
        }
        return isChanged
    }

    /// Sets the delays in frame control chunks, a numerator and a denominator in seconds (APNG).
    private static func slowPNG(_ bytes: inout [UInt8]) -> Bool {
        var index = 8
        var isChanged = false
        while index + 12 <= bytes.count, let length = number(at: index, of: bytes), index + 12 + length <= bytes.count {
            if length == 26, has("fcTL", at: index + 4, of: bytes) {
                bytes.replaceSubrange(index + 28..<index + 32, with: [0xFF, 0xFF, 0, 1])
                let sum = crc(bytes[index + 4..<index + 34])
                bytes.replaceSubrange(
                    index + 34..<index + 38, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) })
                isChanged = true
            }
            index += 12 + length
        }
        return isChanged
    }

    /// Sets the durations in frame chunks, in milliseconds, 24 bits each.
    private static func slowWebP(_ bytes: inout [UInt8]) -> Bool {
        var index = 12
        var isChanged = false
        while index + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[index + 4 + $1]) << (8 * $1) }
            if has("ANMF", at: index, of: bytes), index + 24 <= bytes.count {
                bytes.replaceSubrange(index + 20..<index + 23, with: [0xFF, 0xFF, 0xFF])
                isChanged = true
            }
            index += 8 + length + length & 1
        }
        return isChanged
    }

    /// Sets the sample durations in the tables of an image sequence (ISO/IEC 14496-12, section 8.6.1.2).
    private static func slowAVIF(_ bytes: inout [UInt8]) -> Bool {
        var isChanged = false
        var index = 4
        while index + 16 <= bytes.count {
            if has("stts", at: index, of: bytes), let count = number(at: index + 8, of: bytes), count > 0,
                count < 10_000,
                index + 12 + 8 * count <= bytes.count
            {
                for entry in 0..<count {
                    bytes.replaceSubrange(index + 16 + 8 * entry..<index + 20 + 8 * entry, with: [0, 0xFF, 0xFF, 0xFF])
                }
                isChanged = true
            }
            index += 1
        }
        return isChanged
    }

    /// Reads a four-byte big-endian number.
    private static func number(at index: Int, of bytes: [UInt8]) -> Int? {
        guard index + 4 <= bytes.count else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | Int(bytes[index + $1]) }
    }

    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
