import COffstageDeflate
import Foundation

/// Packs bytes as gzip does; the same bytes give the same file.
enum Gzip {
    static func packed(_ data: Data) -> Data {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: offstage_deflate_size(), alignment: 16)
        defer { memory.deallocate() }
        let stream = OpaquePointer(memory)
        offstage_deflate_begin(stream)
        // Without a time or a name.
        var packed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        data.withUnsafeBytes { bytes in
            offstage_deflate_give(stream, bytes.baseAddress, bytes.count, true)
            var body = Data()
            while true {
                let count = offstage_deflate_read(stream, &piece, piece.count)
                body.append(contentsOf: piece[..<count])
                if count < piece.count { break }
            }
            // ISA-L writes a zlib stream: two bytes before, and four behind.
            packed.append(body.dropFirst(2).dropLast(4))
            withUnsafeBytes(of: offstage_crc(0, bytes.baseAddress, bytes.count).littleEndian) {
                packed.append(contentsOf: $0)
            }
        }
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: data.count).littleEndian) { packed.append(contentsOf: $0) }
        return packed
    }
}
