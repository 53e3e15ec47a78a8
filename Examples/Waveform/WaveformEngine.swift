import Foundation
import Offstage

/// Draws sounds. It needs no thread, process or display of its own. Renderer, queue, caches and encoders are the same as
/// for HTML.
struct WaveformEngine: Engine {
    let capacity = ProcessInfo.processInfo.activeProcessorCount

    func draw(_ waveform: Waveform) async throws(DrawingError) -> Drawing {
        let size = waveform.size
        guard size.width > 0, size.height > 0 else {
            throw .invalidRequest("it has no width or no height; give it some")
        }
        let columns = try Recording(wav: waveform.wav).extremes(size.width)
        let pixmap = Pixmap.filled(size: size, isOpaque: true) { bytes in
            // Premultiplied BGRA; every pixel is opaque.
            let pixels = bytes.bindMemory(to: UInt32.self)
            pixels.initialize(repeating: 0xFFFF_FFFF)
            for (x, column) in columns.enumerated() {
                for y in row(of: column.upperBound, in: size)...row(of: column.lowerBound, in: size) {
                    pixels[y * size.width + x] = 0xFF1E_90FF
                }
            }
        }
        return Drawing(pixmaps: [pixmap], scale: waveform.scale, warnings: [])
    }

    /// The row of a sample; louder samples are farther from the middle.
    private func row(of sample: Int16, in size: PixelSize) -> Int {
        (Int(Int16.max) - Int(sample)) * size.height / 65_536
    }

    /// Without a fingerprint, nothing would be cached. Raise `1` if a change gives the same sound other pixels.
    func fingerprint(of waveform: Waveform) -> Fingerprint? {
        var fingerprint = Fingerprint.Builder()
        fingerprint.add("engine", "waveform 1")
        fingerprint.add("sound", waveform.wav)
        fingerprint.add("size", "\(waveform.size)")
        return fingerprint.build()
    }

    func shutDown() async {}
}
