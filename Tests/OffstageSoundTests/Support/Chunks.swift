import Foundation

/// File headers, put together from numbers.
enum Chunks {
    static func number(_ value: Int, _ count: Int, isBig: Bool = false) -> Data {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return Data(isBig ? bytes.reversed() : bytes)
    }

    static func chunk(_ name: String, _ content: Data, length: Int? = nil) -> Data {
        Data(name.utf8) + number(length ?? content.count, 4) + content
    }

    static func wav(_ chunks: Data..., name: String = "RIFF", length: Int? = nil) -> Data {
        let all = chunks.reduce(Data(), +)
        return Data(name.utf8) + number(length ?? all.count + 4, 4) + Data("WAVE".utf8) + all
    }

    /// An ID3v2 tag.
    static func id3(_ content: Data) -> Data {
        let size = (0..<4).reversed().map { UInt8(content.count >> (7 * $0) & 0x7F) }
        return Data("ID3".utf8) + Data([4, 0, 0] + size) + content
    }

    /// One page with one packet of less than 255 bytes. Offstage and libsndfile recognize it without checking its
    /// checksum.
    static func oggPage(_ packet: Data) -> Data {
        Data("OggS".utf8) + Data([0, 2]) + Data(count: 8) + number(77, 4) + Data(count: 8)
            + Data([1, UInt8(packet.count)]) + packet
    }

    /// ALAC in CAF with uncompressed samples. Its flags do not give the number of bits per sample.
    static func alac(_ samples: [Int16]) -> Data {
        func chunk(_ name: String, _ content: Data) -> Data {
            Data(name.utf8) + number(content.count, 8, isBig: true) + content
        }
        func big(_ numbers: (Int, Int)...) -> Data { numbers.reduce(Data()) { $0 + number($1.0, $1.1, isBig: true) } }
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
        // One channel, 19 zero bits, and the bit that means "uncompressed"; 7 ends the packet.
        put(1, 23)
        for sample in samples { put(Int(sample), 16) }
        put(7, 3)
        bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
        let packet = Data(
            stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            })
        let (frames, size) = (samples.count, packet.count)
        let rate = withUnsafeBytes(of: Double(8000).bitPattern.bigEndian) { Data($0) }
        let cookie = big(
            (frames, 4), (0, 1), (16, 1), (40, 1), (10, 1), (14, 1), (1, 1), (255, 2), (size, 4), (0, 4), (8000, 4))
        let lengths = Data([UInt8(size >> 14 | 0x80), UInt8(size >> 7 & 0x7F | 0x80), UInt8(size & 0x7F)])
        return Data("caff".utf8) + big((1, 2), (0, 2))
            + chunk("desc", rate + Data("alac".utf8) + big((0, 4), (0, 4), (frames, 4), (1, 4), (0, 4)))
            + chunk("kuki", cookie) + chunk("data", Data(count: 4) + packet)
            + chunk("pakt", big((1, 8), (frames, 8), (0, 4), (0, 4)) + lengths)
    }
}
