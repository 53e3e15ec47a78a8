import Offstage
import Synchronization

extension Pixmap {
    /// A picture from its pixels, each premultiplied [blue, green, red, alpha], and what lies after each row.
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

/// Counts, on any thread.
final class Tally: Sendable {
    private let value = Atomic(0)
    func add() { value.add(1, ordering: .sequentiallyConsistent) }
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
}
