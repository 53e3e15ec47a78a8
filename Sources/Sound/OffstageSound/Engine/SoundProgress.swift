import Offstage

/// The progress of decoding a sound.
public struct SoundProgress: Sendable {
    /// The decoded share of the file's bytes, from 0 to 1.
    public var share: Double
    /// The peaks so far.
    public var peaks: Peaks

    /// Draws the peaks so far, followed by silence. Call it from any thread; it takes a few milliseconds.
    ///
    /// - Parameters:
    ///   - request: its style, scale and limits are used.
    ///   - duration: the length of the whole sound, in seconds; 0, the default, to estimate it from
    ///     the share.
    /// - Returns: the pixels.
    /// - Throws: `DrawingError` if the request cannot be drawn, or has no part of the sound.
    public func picture(as request: Waveform, duration: Double = 0) throws(DrawingError) -> Pixmap {
        var request = request
        request.medium = .pixels
        let seconds = Double(peaks.count * peaks.framesPerPeak) / Double(peaks.rate)
        let whole = duration > 0 ? max(duration, seconds) : seconds / min(max(share, 0.001), 1)
        return try WaveformPainter(checking: request).drawing(of: PeakPyramid(peaks), duration: whole).pixmaps[0]
    }
}

/// Receives the progress of an engine's decodings until it is released.
public final class SoundObservation: Sendable {
    private let listener: Listeners<(identifier: String, progress: SoundProgress)>.Listener

    init(_ listener: Listeners<(identifier: String, progress: SoundProgress)>.Listener) { self.listener = listener }
}
