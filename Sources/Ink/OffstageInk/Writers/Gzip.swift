import COffstageDeflate
import Foundation

/// Packs bytes; the same bytes give the same result.
enum Gzip {
    /// Packs bytes into a gzip file without a time or a name.
    static func packed(_ data: Data) -> Data {
        var packed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        // A zlib stream has a header of two bytes and a trailer of four.
        packed.append(zlib(data).dropFirst(2).dropLast(4))
        let sum = data.withUnsafeBytes { offstage_crc(0, $0.baseAddress, $0.count) }
        for number in [sum, UInt32(truncatingIfNeeded: data.count)] {
            withUnsafeBytes(of: number.littleEndian) { packed.append(contentsOf: $0) }
        }
        return packed
    }

    /// Packs bytes into a zlib stream.
    static func zlib(_ data: Data) -> Data {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: offstage_deflate_size(), alignment: 16)
        defer { memory.deallocate() }
        let stream = OpaquePointer(memory)
        offstage_deflate_begin(stream)
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        return data.withUnsafeBytes { bytes in
            var packed = Data()
            offstage_deflate_give(stream, bytes.baseAddress, bytes.count, true)
            while true {
                let count = offstage_deflate_read(stream, &piece, piece.count)
                packed.append(contentsOf: piece[..<count])
                if count < piece.count { return packed }
            }
        }
    }
}
