import Foundation

/// A PNG file with any header and any chunks, for files that no encoder writes.
struct RawPNG {
    var width = 1
    var height = 1
    var bits = 8
    /// 0 grey, 2 colour, 4 grey with alpha, 6 colour with alpha.
    var colorType = 2
    /// The bytes of each row, without the filter byte.
    var rows: [[UInt8]] = []
    /// The filter of all rows, from 0 for none to 4; other filters do not exist.
    var filter: UInt8 = 0
    /// Additional chunks before the pixels.
    var chunks: [(name: String, bytes: [UInt8])] = []

    /// Chunks between the pixels and the end of the file.
    var laterChunks: [(name: String, bytes: [UInt8])] = []

    var data: Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        append("IHDR", Self.number(width) + Self.number(height) + [UInt8(bits), UInt8(colorType), 0, 0, 0], to: &data)
        for chunk in chunks { append(chunk.name, chunk.bytes, to: &data) }
        append("IDAT", Self.stored(filteredRows.flatMap { [filter] + $0 }), to: &data)
        for chunk in laterChunks { append(chunk.name, chunk.bytes, to: &data) }
        append("IEND", [], to: &data)
        return data
    }

    /// Unfiltered rows, as in `IDAT`.
    static func pixels(_ rows: [[UInt8]]) -> [UInt8] { stored(rows.flatMap { [0] + $0 }) }

    private var filteredRows: [[UInt8]] {
        if filter == 0 { return rows }
        let step = bits / 8 * (colorType == 6 ? 4 : colorType == 2 ? 3 : colorType == 4 ? 2 : 1)
        return rows.indices.map { y in
            rows[y].indices.map { i in
                let left = i >= step ? Int(rows[y][i - step]) : 0
                let up = y > 0 ? Int(rows[y - 1][i]) : 0
                let corner = y > 0 && i >= step ? Int(rows[y - 1][i - step]) : 0
                let guess = left + up - corner
                let nearest = [left, up, corner].min { abs(guess - $0) < abs(guess - $1) } ?? 0
                let prediction = [0, left, up, (left + up) / 2, nearest][min(4, Int(filter))]
                return rows[y][i] &- UInt8(prediction)
            }
        }
    }

    static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// zlib data without compression.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let starts = stride(from: 0, to: max(1, bytes.count), by: 65_535)
        for start in starts {
            let part = bytes[start..<min(start + 65_535, bytes.count)]
            let count = UInt16(part.count)
            stream.append(start + 65_535 >= bytes.count ? 1 : 0)
            for value in [count, ~count] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
            stream += part
        }
        return stream + number(b << 16 | a)
    }

    private func append(_ name: String, _ bytes: [UInt8], to data: inout Data) {
        let body = Array(name.utf8) + bytes
        data.append(contentsOf: Self.number(bytes.count) + body + Self.number(Int(Self.checksum(body))))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
