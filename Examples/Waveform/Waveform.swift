import Foundation
import Offstage

/// A sound that is to be drawn: the request of a `WaveformEngine`.
struct Waveform: DrawingRequest {
    var identifier: String
    /// The bytes of a WAV file.
    var wav: Data
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

    /// The same sound under two names is drawn once while one of them waits or is drawn.
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
