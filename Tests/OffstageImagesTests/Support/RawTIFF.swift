import Foundation

/// A TIFF file with any kind of values, uncompressed, in little-endian order.
struct RawTIFF {
    enum Format: Int {
        case unsigned = 1
        case signed = 2
        case float = 3
    }

    var width: Int
    var height: Int
    /// The number of samples per pixel.
    var count = 1
    var bits = 8
    var format = Format.unsigned
    /// 0 white is zero, 1 black is zero, 2 RGB, 5 CMYK, 8 Lab.
    var photometric = 1
    /// The meaning of the samples after the colours: 0 unspecified, 1 premultiplied alpha, 2 alpha.
    var extra: [Int] = []
    /// Whether the samples are stored in one plane per component.
    var isSeparate = false
    var rowsPerStrip: Int?
    /// The width and height of tiles, as multiples of 16.
    var tile: (Int, Int)?
    /// Parts without bytes, and parts whose offset is outside the file.
    var empty: Set<Int> = []
    var lost: Set<Int> = []
    var profile: [UInt8] = []
    /// The value of a sample at a position.
    var value: (_ x: Int, _ y: Int, _ sample: Int) -> Int

    private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The samples of a rectangle. Samples outside the picture are 0.
    private func part(_ left: Int, _ top: Int, _ columns: Int, _ rows: Int, _ samples: Range<Int>) -> [UInt8] {
        (top..<top + rows).flatMap { y in
            let values = (left..<left + columns).flatMap { x in
                samples.map { x < width && y < height ? value(x, y, $0) : 0 }
            }
            if bits != 12 { return values.flatMap { bytes($0, bits / 8) } }
            return stride(from: 0, to: values.count, by: 2).flatMap { index in
                let (one, two) = (values[index], index + 1 < values.count ? values[index + 1] : 0)
                return [UInt8(one >> 4), UInt8((one & 15) << 4 | two >> 8), UInt8(two & 255)]
            }
        }
    }

    private var parts: [[UInt8]] {
        let planes = isSeparate ? (0..<count).map { $0..<$0 + 1 } : [0..<count]
        return planes.flatMap { samples in
            guard let (columns, rows) = tile else {
                let rows = rowsPerStrip ?? height
                return stride(from: 0, to: height, by: rows).map {
                    part(0, $0, width, min(rows, height - $0), samples)
                }
            }
            return stride(from: 0, to: height, by: rows).flatMap { top in
                stride(from: 0, to: width, by: columns).map { part($0, top, columns, rows, samples) }
            }
        }
    }

    var data: Data {
        var file = Data("II*\0".utf8) + bytes(0, 4)
        var (places, sizes): ([Int], [Int]) = ([], [])
        for (index, part) in parts.enumerated() {
            let isEmpty = empty.contains(index)
            places.append(isEmpty ? 0 : lost.contains(index) ? 1 << 28 : file.count)
            sizes.append(isEmpty ? 0 : part.count)
            if !isEmpty { file += part }
        }
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [width]), (257, 4, [height]), (258, 3, Array(repeating: bits, count: count)), (259, 3, [1]),
            (262, 3, [photometric]), (277, 3, [count]), (284, 3, [isSeparate ? 2 : 1]),
            (339, 3, Array(repeating: format.rawValue, count: count)),
        ]
        if let (columns, rows) = tile {
            entries += [(322, 4, [columns]), (323, 4, [rows]), (324, 4, places), (325, 4, sizes)]
        } else {
            entries += [(273, 4, places), (278, 4, [rowsPerStrip ?? height]), (279, 4, sizes)]
        }
        if !extra.isEmpty { entries.append((338, 3, extra)) }
        if !profile.isEmpty { entries.append((34675, 7, profile.map(Int.init))) }
        var directory = bytes(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            let content = entry.values.flatMap { bytes($0, [3: 2, 7: 1][entry.type] ?? 4) }
            directory += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.values.count, 4)
            if content.count <= 4 {
                directory += content + Array(repeating: 0, count: 4 - content.count)
            } else {
                directory += bytes(file.count, 4)
                file += content
            }
        }
        file.replaceSubrange(4..<8, with: bytes(file.count, 4))
        return file + directory + bytes(0, 4)
    }
}
