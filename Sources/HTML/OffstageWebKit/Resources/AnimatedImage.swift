import Foundation

/// Makes animated images show their first frame, regardless of when the picture is taken. WebKit starts an animation
/// when it is first painted, so it would advance in a document painted in tiles, or in one with the same image as the
/// previous document. So only the first frame of a file is kept. The length of the file does not change.
enum AnimatedImage {
    /// The bytes of an image file with only its first frame. Any other file is returned unchanged.
    static func stopped(_ file: Data) -> Data {
        guard mayMove(head: file.prefix(48)) else { return file }
        var bytes = [UInt8](file)
        return stop(&bytes) ? Data(bytes) : file
    }

    /// A document or a style sheet with only first frames in the images of its data URIs.
    static func stopped(inText text: Data, of kind: MarkupKind = .html) -> Data {
        guard text.withUnsafeBytes({ $0.firstIndex(of: mark, from: 0) }) != nil else { return text }
        let bytes = [UInt8](text)
        var edits: [DataURI.Edit] = []
        var places = MarkupPlaces(kind)
        var index = 0
        while let found = bytes.withUnsafeBytes({ $0.firstIndex(of: mark, from: index) }), !Task.isCancelled {
            let head = max(index, found - DataURI.longestHead)
            index = found + mark.utf8CodeUnitCount
            guard let start = bytes.withUnsafeBytes({ start(of: "data:", in: $0, head..<found) }),
                let uri = DataURI(in: bytes, at: start, &places), mayMove(head: uri.fileHead)
            else { continue }
            index = uri.content.endIndex
            edits += uri.edits { stopped($0) }
        }
        return edits.applied(to: text)
    }

    /// The last index in a range at which a word starts.
    private static func start(of word: StaticString, in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        let length = word.utf8CodeUnitCount
        return range.dropLast(length - 1).last { memcmp(bytes.baseAddress! + $0, word.utf8Start, length) == 0 }
    }

    private static let mark: StaticString = ";base64,"

    /// Checks the first bytes: most images are plain PNGs and JPEGs, which need not be decoded.
    private static func mayMove(head: Data) -> Bool {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return head.range(of: Data("acTL".utf8)) != nil }
        return head.starts(with: Data("GIF8".utf8)) || head.starts(with: Data("RIFF".utf8))
            || head.dropFirst(4).starts(with: Data("ftypavis".utf8))
    }

    private static func stop(_ bytes: inout [UInt8]) -> Bool {
        if bytes.starts(with: Array("GIF8".utf8)) { return stopGIF(&bytes) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return stopPNG(&bytes) }
        if bytes.starts(with: Array("RIFF".utf8)), has("WEBP", at: 8, of: bytes) { return stopWebP(&bytes) }
        if has("ftypavis", at: 4, of: bytes) { return stopAVIF(&bytes) }
        return false
    }

    private static func has(_ name: StaticString, at index: Int, of bytes: [UInt8]) -> Bool {
        let count = name.utf8CodeUnitCount
        return index + count <= bytes.count && (0..<count).allSatisfy { bytes[index + $0] == name.utf8Start[$0] }
    }

    /// Ends the file after its first frame (GIF89a, sections 15 and 27). The rest remains after the end, but is not
    /// read: the length must not change.
    private static func stopGIF(_ bytes: inout [UInt8]) -> Bool {
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard bytes.count > 13 else { return false }
        var index = 13 + table(bytes[10])
        while index + 10 < bytes.count {
            let isFrame = bytes[index] == 0x2C
            guard isFrame || bytes[index] == 0x21 else { return false }
            index += isFrame ? 11 + table(bytes[index + 9]) : 2
            // Skips the data blocks up to an empty one.
            while index < bytes.count, bytes[index] != 0 { index += Int(bytes[index]) + 1 }
            index += 1
            guard isFrame else { continue }
            guard index < bytes.count, bytes[index] != 0x3B else { return false }
            bytes[index] = 0x3B
            return true
        }
        return false
    }

    /// Sets the number of frames in the animation control chunk to 1 (APNG).
    private static func stopPNG(_ bytes: inout [UInt8]) -> Bool {
        var index = 8
        while index + 12 <= bytes.count, let length = number(at: index, of: bytes), index + 12 + length <= bytes.count {
            if length == 8, has("acTL", at: index + 4, of: bytes) {
                bytes.replaceSubrange(index + 8..<index + 12, with: [0, 0, 0, 1])
                let sum = crc(bytes[index + 4..<index + 16])
                bytes.replaceSubrange(
                    index + 16..<index + 20, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) })
                return true
            }
            index += 12 + length
        }
        return false
    }

    /// Renames all frames but the first (the container of WebP files has a name for each chunk).
    private static func stopWebP(_ bytes: inout [UInt8]) -> Bool {
        var index = 12
        var frames = 0
        while index + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[index + 4 + $1]) << (8 * $1) }
            if has("ANMF", at: index, of: bytes) {
                // Decoders skip a chunk whose name they do not know.
                if frames > 0 { bytes[index] = UInt8(ascii: "X") }
                frames += 1
            }
            index += 8 + length + length & 1
        }
        return frames > 1
    }

    /// Makes a decoder read the primary image instead of the sequence, by changing the brand in the file's header. A
    /// file without a primary image stays unchanged.
    private static func stopAVIF(_ bytes: inout [UInt8]) -> Bool {
        guard Data(bytes).range(of: Data("pitm".utf8)) != nil else { return false }
        bytes[11] = UInt8(ascii: "f")
        return true
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
