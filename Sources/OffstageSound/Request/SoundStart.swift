import Foundation

/// The offset of the sound in its file, and its kind.
struct SoundStart: Sendable, Equatable {
    /// Nil for an unknown one.
    var kind: SoundKind?
    /// Bytes before the sound: tags, or junk before the first frame of MP3. Zero for an unknown kind.
    var offset = 0

    /// Recordings of streams begin inside a frame. The longest frame has 2,881 bytes, and what servers and programs write before the
    /// first one is not longer than this.
    static let searched = 64 << 10
    /// More tags one after the other are not those of a program.
    private static let tagLimit = 1000

    /// Looks at the beginning of a file, which is untrusted.
    ///
    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - read: returns at most so many bytes from an offset.
    init(size: Int, read: (_ offset: Int, _ count: Int) -> Data) {
        let first = read(0, 64)
        var (head, begin) = (first, 0)
        for _ in 0..<Self.tagLimit {
            guard let length = Self.tagLength(head), begin + length < size else { break }
            begin += length
            head = read(begin, 64)
        }
        if Self.tagLength(head) == nil, let kind = SoundKind(of: head) {
            (self.kind, offset) = (kind, begin)
        } else if !SoundKind.isUndecoded(head), let frame = Self.firstFrame([UInt8](read(begin, Self.searched))) {
            (kind, offset) = (.mp3, begin + frame)
        } else {
            // A tag without a sound that could be found.
            kind = SoundKind(of: first)
        }
    }

    /// The bytes of a tag of the kinds ID3v2 or APE; nil if there is none.
    private static func tagLength(_ head: Data) -> Int? {
        let head = [UInt8](head.prefix(32))
        if head.count >= 10, head.starts(with: "ID3".utf8), head[6..<10].allSatisfy({ $0 < 0x80 }) {
            let footer = head[5] & 0x10 != 0 ? 10 : 0
            return head[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10 + footer
        }
        if head.count == 32, head.starts(with: "APETAGEX".utf8) {
            return head[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) } + 32
        }
        return nil
    }

    /// The offset of the first two frames in a row that belong together.
    private static func firstFrame(_ bytes: [UInt8]) -> Int? {
        var place = bytes.startIndex
        while let found = bytes[place...].firstIndex(of: 0xFF) {
            if let size = frameSize(bytes, found), frameSize(bytes, found + size) != nil {
                // The version, the layer and the rate.
                let next = found + size
                if bytes[next + 1] & 0xFE == bytes[found + 1] & 0xFE, bytes[next + 2] & 0x0C == bytes[found + 2] & 0x0C
                {
                    return found
                }
            }
            place = found + 1
        }
        return nil
    }

    /// Kilobits per second: of MPEG-1 by the layer, then of the layers I, and II and III, of MPEG-2.
    private static let rates = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Bytes; nil for something other than a frame whose head says its length.
    private static func frameSize(_ bytes: [UInt8], _ place: Int) -> Int? {
        guard place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE0 == 0xE0 else { return nil }
        let version = Int(bytes[place + 1] >> 3 & 3)
        let layer = 4 - Int(bytes[place + 1] >> 1 & 3)
        let (index, rate) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] >> 2 & 3))
        guard version != 1, layer != 4, (1...14).contains(index), rate != 3 else { return nil }
        let isLow = version != 3
        let bits = 1000 * rates[isLow ? (layer == 1 ? 3 : 4) : layer - 1][index]
        let samples = [44_100, 48_000, 32_000][rate] / (version == 2 ? 2 : version == 0 ? 4 : 1)
        let padding = Int(bytes[place + 2] >> 1 & 1)
        if layer == 1 { return (12 * bits / samples + padding) * 4 }
        return (layer == 3 && isLow ? 72 : 144) * bits / samples + padding
    }
}
