import Foundation
import Offstage
import OffstageInk

/// A winding stroke with varying pressure.
func windingStroke(_ seed: Int = 0, points: Int = 60, width: Float = 3) -> Stroke {
    Stroke(
        (0..<points).map { index in
            let t = Float(index) / 6 + Float(seed)
            return InkPoint(
                x: 20 + Float(index) * 1.5, y: 60 + 30 * Float(sin(Double(t))) + Float(seed % 7) * 4,
                pressure: 0.6 + 0.5 * Float(cos(Double(t))), tilt: Float(index) / 60, time: Float(index) / 120)
        }, width: width)
}

/// The pixels of a part of a page.
func draw(_ strokes: [Stroke], part: InkPart, scale: Double, paper: UInt8 = 255, isDark: Bool = false) -> [UInt8] {
    var bytes = [UInt8](repeating: paper, count: 4 * part.width * part.height)
    for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 }
    let raster = InkRaster()
    bytes.withUnsafeMutableBytes { memory in
        let target = InkRaster.Target(
            pixels: memory.baseAddress!, bytesPerRow: 4 * part.width, part: part, scale: scale, isDark: isDark)
        for stroke in strokes { raster.draw(stroke, into: target) }
    }
    return bytes
}
