import CSpng
import Foundation

/// A PNG as other programs read it: its chunks in order, and its pixels as straight RGBA, decoded by libspng.
struct PNGFile {
    struct Chunk {
        let type: String
        let body: [UInt8]
    }

    let chunks: [Chunk]
    let width: Int
    let height: Int
    /// `4 * width * height` bytes.
    let pixels: [UInt8]

    struct Unreadable: Error { let reason: String }

    init(_ data: Data) throws {
        chunks = try Self.chunks(of: [UInt8](data))
        guard let context = spng_ctx_new(0) else { throw Unreadable(reason: "out of memory") }
        defer { spng_ctx_free(context) }
        func check(_ status: Int32) throws {
            if status != 0 { throw Unreadable(reason: String(cString: spng_strerror(status))) }
        }
        let bytes = [UInt8](data)
        (width, height, pixels) = try bytes.withUnsafeBytes { buffer in
            try check(spng_set_png_buffer(context, buffer.baseAddress, buffer.count))
            var header = spng_ihdr()
            try check(spng_get_ihdr(context, &header))
            var size = 0
            try check(spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &size))
            var pixels = [UInt8](repeating: 0, count: size)
            try check(spng_decode_image(context, &pixels, size, Int32(SPNG_FMT_RGBA8.rawValue), 0))
            return (Int(header.width), Int(header.height), pixels)
        }
    }

    private static func chunks(of bytes: [UInt8]) throws -> [Chunk] {
        var chunks: [Chunk] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            guard offset + 12 + length <= bytes.count else { throw Unreadable(reason: "chunk \(type) is cut off") }
            chunks.append(Chunk(type: type, body: Array(bytes[offset + 8..<offset + 8 + length])))
            offset += 12 + length
        }
        guard chunks.last?.type == "IEND", offset == bytes.count else { throw Unreadable(reason: "no end") }
        return chunks
    }

    func body(of type: String) -> [UInt8]? { chunks.first { $0.type == type }?.body }

    /// 2 is RGB, 6 is RGBA.
    var colorType: UInt8? { body(of: "IHDR")?[9] }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = 4 * (y * width + x)
        return Array(pixels[start..<start + 4])
    }
}
