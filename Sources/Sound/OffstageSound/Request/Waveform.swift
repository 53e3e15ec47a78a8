import Foundation
import Offstage

/// The waveform of a sound to draw, of one of the kinds of `SoundKind`.
///
/// The sound is decoded once for all its waveforms: its peaks are stored beside the pictures.
public struct Waveform: DrawingRequest {
    public var identifier: String
    public var extra: String?
    public var sound: Sound
    public var style = WaveformStyle()
    /// Device px per CSS px. Default 1.
    public var scale = 1.0
    /// The number of frames per peak in files of data, at least 1; pictures do not depend on it. Default 256. A number
    /// that is not a multiple of 256 requires decoding the sound again.
    public var framesPerPeak = Self.defaultFramesPerPeak
    /// The number of peaks per second in files of data, at least 1, rounded as in audiowaveform: the sound's rate then
    /// determines `framesPerPeak`. Nil, the default, for `framesPerPeak`.
    public var peaksPerSecond: Int?
    /// The sound track of a video or of another container, from 1. Nil, the default, for the first one that can be decoded.
    public var track: Int?
    public var limits = SoundLimits()
    public var margins = Margins()
    public var requiresComplete = false
    public var medium = Medium.pixels
    /// The largest picture that its files can contain; nil, the default, for no limit. Does not change pixels.
    package var formatLimit: FormatLimit?

    /// 256 frames, like audiowaveform's default.
    public static let defaultFramesPerPeak = 256

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - identifier: the host's name for the picture.
    ///   - sound: the sound.
    ///   - style: the style of the drawing. Default bars of 800 × 120 CSS px.
    public init(identifier: String, sound: Sound, style: WaveformStyle = WaveformStyle()) {
        self.identifier = identifier
        self.sound = sound
        self.style = style
    }

    public func drawn(into medium: Medium) -> Waveform {
        var waveform = self
        waveform.medium = medium
        return waveform
    }

    /// Two requests with equal keys have equal pictures.
    public struct CoalescingKey: Hashable, Sendable {
        var digest: Digest
        var style: WaveformStyle
        var scale: Double
        var framesPerPeak: Int
        var peaksPerSecond: Int?
        var track: Int?
        var limits: SoundLimits
        var margins: Margins
        var medium: Medium
        var requiresComplete: Bool
    }

    public var coalescingKey: CoalescingKey? {
        CoalescingKey(
            digest: sound.digest, style: style, scale: scale, framesPerPeak: framesPerPeak,
            peaksPerSecond: peaksPerSecond, track: track, limits: limits, margins: margins, medium: medium,
            requiresComplete: requiresComplete)
    }

    /// Converts peaks per second to frames per peak, as audiowaveform does.
    public static func framesPerPeak(rate: Int, peaksPerSecond: Int) -> Int { max(1, rate / max(1, peaksPerSecond)) }

    /// The number of frames per peak to decode.
    var decodedFramesPerPeak: Int {
        framesPerPeak % Self.defaultFramesPerPeak == 0 ? Self.defaultFramesPerPeak : max(1, framesPerPeak)
    }

    /// The name of the peaks' file in the store. Files of other zooms and tracks do not replace the usual ones.
    var peaksVariant: String {
        let zoom = decodedFramesPerPeak == Self.defaultFramesPerPeak ? "" : "-\(decodedFramesPerPeak)"
        return "peaks\(zoom)" + (track.map { "-track\($0)" } ?? "")
    }
}
