import Foundation
import Offstage

/// Draws numbers. It needs no thread, process or display of its own. Renderer, queue, caches and encoders are the same as
/// for HTML.
struct SparklineEngine: Engine {
    let capacity = ProcessInfo.processInfo.activeProcessorCount

    func draw(_ sparkline: Sparkline) async throws(DrawingError) -> Drawing {
        let size = sparkline.size
        guard size.width > 0, size.height > 0 else {
            throw .invalidRequest("it has no width or no height; give it some")
        }
        let columns = try Numbers(csv: sparkline.csv).shares(size.width)
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            // Premultiplied BGRA; every pixel is opaque.
            let pixels = bytes.bindMemory(to: UInt32.self)
            pixels.initialize(repeating: 0xFFFF_FFFF)
            for (x, column) in columns.enumerated() {
                // A line at least.
                let bar = min(size.height, max(1, Int((column * Double(size.height)).rounded())))
                for y in size.height - bar..<size.height {
                    pixels[y * size.width + x] = 0xFF1E_90FF
                }
            }
        }
        return Drawing(pixmaps: [pixmap], scale: sparkline.scale, warnings: [])
    }

    /// Without a fingerprint, nothing would be cached. Raise `1` if a change gives the same numbers other pixels.
    func fingerprint(of sparkline: Sparkline) -> Fingerprint? {
        var fingerprint = Fingerprint.Builder()
        fingerprint.add("engine", "sparkline 1")
        fingerprint.add("numbers", sparkline.csv)
        fingerprint.add("size", "\(sparkline.size)")
        return fingerprint.build()
    }

    func shutDown() async {}
}
