import Offstage
import Synchronization

/// A list's row that a sample engine draws.
public struct SampleRow: DrawingRequest {
    public var identifier: String
    /// A value that determines the pixels.
    public var content: Int
    public var scale = 1.0

    /// The number of different contents, if a test must know them all.
    public static let contents = 500

    public init(_ number: Int, content: Int? = nil) {
        identifier = "row/\(number)"
        self.content = content ?? number
    }
}

/// Draws rows of 100 × 20 px, each different, in a few milliseconds.
public final class SampleEngine: Engine {
    public let capacity = 2
    private let counter = Atomic(0)
    private let onDraw: @Sendable () -> Void

    /// - Parameter onDraw: called before each drawing.
    public init(onDraw: @escaping @Sendable () -> Void = {}) { self.onDraw = onDraw }

    /// The number of rows that have been drawn.
    public var count: Int { counter.load(ordering: .relaxed) }

    public func draw(_ row: SampleRow) async throws(DrawingError) -> Drawing {
        onDraw()
        try? await Task.sleep(for: .milliseconds(3))
        counter.add(1, ordering: .relaxed)
        let pixmap = Pixmap.filled(size: PixelSize(width: 100, height: 20), isOpaque: false) { bytes in
            var state = UInt64(bitPattern: Int64(row.content)) &* 0x9E37_79B9_7F4A_7C15 | 1
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Premultiplied: no colour exceeds its alpha.
                let alpha = UInt8(truncatingIfNeeded: state >> 32)
                for part in 0..<3 {
                    bytes[pixel + part] = min(alpha, UInt8(truncatingIfNeeded: state >> (40 + 8 * part)))
                }
                bytes[pixel + 3] = alpha
            }
        }
        return Drawing(pixmaps: [pixmap], scale: 1, warnings: [])
    }

    public func fingerprint(of row: SampleRow) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("content", "\(row.content)")
        return builder.build()
    }

    public func shutDown() async {}
}
