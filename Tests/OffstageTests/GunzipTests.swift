import COffstageDeflate
import Foundation
import Testing

/// Unpacking gzip files, as SVG files may be packed.
@Suite struct GunzipTests {
    /// A gzip file with a file name in its header.
    private static func packed(_ data: Data) -> Data {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: offstage_deflate_size(), alignment: 16)
        defer { memory.deallocate() }
        let deflate = OpaquePointer(memory)
        offstage_deflate_begin(deflate)
        var bytes = [UInt8](repeating: 0, count: data.count + 1000)
        let (count, sum) = data.withUnsafeBytes { input in
            offstage_deflate_give(deflate, input.baseAddress, input.count, true)
            return (
                offstage_deflate_read(deflate, &bytes, bytes.count), offstage_crc(0, input.baseAddress, input.count)
            )
        }
        // The zlib stream without its header and its checksum
        let body = bytes[2..<count - 4]
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return Data([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3] + Array("a.svg\0".utf8)) + body
            + Data(word(sum) + word(UInt32(data.count)))
    }

    /// Reads the file in pieces. Nil for a damaged file.
    private static func unpacked(_ file: Data, pieces: Int = 1 << 16) -> Data? {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: offstage_gunzip_size(), alignment: 16)
        defer { memory.deallocate() }
        let gunzip = OpaquePointer(memory)
        var buffer = [UInt8](repeating: 0, count: pieces)
        return file.withUnsafeBytes { bytes in
            offstage_gunzip_begin(gunzip, bytes.baseAddress, bytes.count)
            var result = Data()
            while true {
                let count = offstage_gunzip_read(gunzip, &buffer, pieces)
                if count < 0 { return nil }
                result.append(contentsOf: buffer[..<count])
                if count < pieces { return result }
            }
        }
    }

    private static func text(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }) }

    /// Sizes around one and several pieces, where the end of the file and that of a piece meet.
    @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 131_072, 1_000_000]) func everySizeComesBack(size: Int) {
        let data = Self.text(size)
        let file = Self.packed(data)
        #expect(Self.unpacked(file) == data)
        #expect(Self.unpacked(file, pieces: max(1, size)) == data)
        #expect(Self.unpacked(file, pieces: 4096) == data)
        // Bytes after the first member are ignored.
        #expect(Self.unpacked(file + file) == data)
        #expect(Self.unpacked(file + Data("more".utf8)) == data)
    }

    @Test func damagedFilesAreFound() {
        let file = Self.packed(Self.text(100_000))
        for count in [3, 10, 12, 500, file.count - 8, file.count - 1] {
            #expect(Self.unpacked(file.prefix(count)) == nil, "\(count) bytes")
        }
        // The checksum
        var other = file
        other[file.count - 6] ^= 1
        #expect(Self.unpacked(other) == nil)
    }
}
