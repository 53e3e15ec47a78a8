import Foundation
import Offstage

/// Finer peaks of a part of a sound, for a picture that shows less than one ordinary peak per px.
struct PeakDetail: Sendable {
    let pyramid: PeakPyramid
    /// The position of the first peak, in seconds of the sound.
    let start: Double
    /// The trust in the worker that decoded them.
    let trust: DrawingTrust

    private var peaks: Peaks { pyramid.peaks }
    private var end: Double { start + peaks.duration }

    /// True if each peak is one sample.
    var hasSamples: Bool { peaks.framesPerPeak == 1 }

    func outline(of tracks: [Peaks.Track], in seconds: Range<Double>) -> Peaks.Peak {
        pyramid.outline(of: tracks, in: seconds.lowerBound - start..<seconds.upperBound - start)
    }

    /// The samples of a track, each with the time at its middle.
    func samples(of track: Peaks.Track) -> [(seconds: Double, value: Int16)] {
        (0..<peaks.count).map { index in
            (start + (Double(index) + 0.5) / Double(peaks.rate), peaks[track, index].highest)
        }
    }

    /// The peaks to decode for a picture.
    struct Plan: Sendable, Equatable {
        var framesPerPeak: Int
        /// The index of the first peak.
        var first: Int
        var count: Int

        /// - Parameters:
        ///   - unit: device px per CSS px.
        ///   - duration: the sound's length, in seconds.
        ///   - usual: the frames per peak of the sound's own peaks.
        /// - Returns: nil if those are as fine as the picture.
        init?(for style: WaveformStyle, unit: Double, rate: Int, duration: Double, usual: Int) {
            let end = min(style.to ?? duration, duration)
            guard end > style.from else { return nil }
            // The width of a bar, or a device px.
            let bar = style.shape == .bars ? (style.barWidth + style.barGap) * unit : 1
            let visible = (style.to ?? duration) - style.from
            let frames = visible * Double(rate) * max(1, bar) / max(1, Double(style.width) * unit)
            guard frames < Double(usual) else { return nil }
            // At most a quarter of a peak may belong to the next bar.
            framesPerPeak = max(1, Int(frames / 4))
            let step = Double(framesPerPeak)
            // The last bar can end outside.
            first = Int(style.from * Double(rate) / step)
            count = Int(((end * Double(rate) + frames) / step).rounded(.up)) + 1 - first
        }
    }
}
