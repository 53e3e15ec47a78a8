import Offstage
import Synchronization

extension Pixmap {
    /// Makes a picture from its premultiplied [blue, green, red, alpha] pixels, with `padding` bytes after each row.
    static func of(
        _ width: Int, _ height: Int, isOpaque: Bool, padding: [UInt8] = [], tally: Tally = Tally(),
        _ pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) -> Pixmap {
        let bytesPerRow = 4 * width + padding.count
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytesPerRow * height)
        for y in 0..<height {
            let row = (0..<width).flatMap { pixel($0, y) } + padding
            for (x, byte) in row.enumerated() { memory[y * bytesPerRow + x] = byte }
        }
        let address = UInt(bitPattern: memory.baseAddress)
        return Pixmap(
            base: UnsafeRawPointer(memory.baseAddress!), size: PixelSize(width: width, height: height),
            bytesPerRow: bytesPerRow, isOpaque: isOpaque
        ) {
            tally.add()
            UnsafeMutablePointer<UInt8>(bitPattern: address)?.deallocate()
        }
    }
}

/// A counter for any thread.
final class Tally: Sendable {
    private let value = Atomic(0)
    func add() { value.add(1, ordering: .sequentiallyConsistent) }
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
}

extension Pixmap {
    /// Soft colours with a sharp bar across them, optionally with every alpha: a small imitation of a list's row.
    static func sample(_ width: Int = 64, _ height: Int = 48, isOpaque: Bool = true, padding: [UInt8] = []) -> Pixmap {
        .of(width, height, isOpaque: isOpaque, padding: padding) { x, y in
            let alpha = isOpaque ? 255 : x * 255 / max(1, width - 1)
            let colors = (10..<14).contains(y) ? [20, 20, 20] : [255 - 2 * x % 256, 3 * y % 256, (x + y) % 256]
            return colors.map { UInt8($0 * alpha / 255) } + [UInt8(alpha)]
        }
    }

    /// Straight RGBA, as a lossless file stores it.
    var straight: [UInt8] {
        (0..<size.height).flatMap { y in
            withRow(y) { row in
                stride(from: 0, to: row.count, by: 4).flatMap { i -> [UInt8] in
                    let alpha = Double(row[i + 3])
                    func part(_ byte: UInt8) -> UInt8 { alpha == 0 ? 0 : UInt8((Double(byte) * 255 / alpha).rounded()) }
                    return [part(row[i + 2]), part(row[i + 1]), part(row[i]), row[i + 3]]
                }
            }
        }
    }
}
