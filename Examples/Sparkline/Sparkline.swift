import Foundation
import Offstage

/// Numbers to draw: the request of a `SparklineEngine`.
struct Sparkline: DrawingRequest {
    var identifier = ""
    var extra: String?
    /// The bytes of a file of numbers.
    var csv = Data()
    /// CSS px.
    var width = 400
    /// CSS px.
    var height = 60
    var scale = 1.0

    /// While one request waits or is drawn, an equal one under another identifier joins it.
    struct Key: Hashable, Sendable {
        var csv: Data
        var size: PixelSize
    }

    var coalescingKey: Key? { Key(csv: csv, size: size) }

    /// Device px.
    var size: PixelSize {
        PixelSize(width: Int(Double(width) * scale), height: Int(Double(height) * scale))
    }
}
