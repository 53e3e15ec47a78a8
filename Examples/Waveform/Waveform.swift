import Foundation
import Offstage

/// A sound to draw: the request of a `WaveformEngine`.
struct Waveform: DrawingRequest {
    var identifier = ""
    var extra: String?
    /// The bytes of a WAV file.
    var wav = Data()
    /// CSS px.
    var width = 400
    /// CSS px.
    var height = 60
    var scale = 1.0

    func scaled(to scale: Double) -> Waveform {
        var waveform = self
        waveform.scale = scale
        return waveform
    }

    /// While one request waits or is drawn, an equal one under another identifier joins it.
    struct Key: Hashable, Sendable {
        var wav: Data
        var size: PixelSize
    }

    var coalescingKey: Key? { Key(wav: wav, size: size) }

    /// Device px.
    var size: PixelSize {
        PixelSize(width: Int(Double(width) * scale), height: Int(Double(height) * scale))
    }
}
