import COffstageWire
import Foundation

/// The offset of the sound in its file, and its format.
struct SoundStart: Sendable, Equatable {
    /// Nil if unknown.
    var kind: SoundKind?
    /// The number of bytes before the sound: tags, or junk before the first frame of MP3. Zero for an unknown format.
    var offset = 0

    /// Recordings of streams begin inside a frame. The longest frame has 2,881 bytes, and the data that servers and programs write
    /// before the first one is not longer than this.
    static let searched = 64 << 10
    /// The maximum number of tags in a row: no program writes more.
    private static let tagLimit = 1000

    /// Looks at the beginning of a file, which is untrusted.
    ///
    /// - Parameters:
    ///   - size: the size of the file, in bytes.
    ///   - read: returns at most that number of bytes from an offset.
    init(size: Int, read: (_ offset: Int, _ count: Int) -> Data) {
        let first = read(0, SoundKind.headSize)
        var (head, begin) = (first, 0)
        for _ in 0..<Self.tagLimit {
            guard let length = Self.tagLength(head), begin + length < size else { break }
            begin += length
            head = read(begin, SoundKind.headSize)
        }
        if Self.tagLength(head) == nil, let kind = SoundKind(of: head) {
            (self.kind, offset) = (kind, begin)
        } else if !SoundKind.isUndecoded(head), let frame = Self.firstFrame([UInt8](read(begin, Self.searched))) {
            (kind, offset) = (.mp3, begin + frame)
        } else {
            // No sound was found after the tag.
            kind = SoundKind(of: first)
        }
    }

    /// The length of an ID3v2 or APE tag, in bytes; nil if there is none.
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

    /// The offset of the first frame that is followed by another one of the same stream.
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

    /// The length of a frame, in bytes; nil if it is not a frame, or its header does not determine the length.
    private static func frameSize(_ bytes: [UInt8], _ place: Int) -> Int? {
        guard place + 4 <= bytes.count else { return nil }
        let size = offstage_mpeg_frame_size(bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
        return size > 0 ? Int(size) : nil
    }
}
