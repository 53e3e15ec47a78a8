import Foundation

/// Peaks at decreasing resolutions, by powers of two, so that any part of a sound is computed from few values.
public final class PeakPyramid: Sendable {
    /// The finest peaks.
    public let peaks: Peaks
    /// The first level merges `1 << firstStep` peaks, and each further level twice as many. Finer levels would cost
    /// more memory than they save time.
    private let levels: [Data]
    private static let firstStep = 4

    /// Builds the pyramid, which takes an eighth of the peaks' bytes.
    ///
    /// - Parameter peaks: the finest peaks.
    public init(_ peaks: Peaks) {
        self.peaks = peaks
        var levels: [Data] = []
        var (step, below) = (Self.firstStep, peaks.records)
        let size = peaks.trackCount * Peaks.recordSize
        while peaks.count >> step > 1 {
            let factor = levels.isEmpty ? 1 << Self.firstStep : 2
            below = Self.merged(below, by: factor, tracks: peaks.trackCount, count: below.count / size / factor)
            levels.append(below)
            step += 1
        }
        self.levels = levels
    }

    private static func merged(_ records: Data, by factor: Int, tracks: Int, count: Int) -> Data {
        var merged = Data(capacity: count * tracks * Peaks.recordSize)
        records.withUnsafeBytes { bytes in
            for start in 0..<count {
                for track in 0..<tracks {
                    var sum = PeakSum()
                    for index in start * factor..<(start + 1) * factor {
                        sum.add(Peaks.peak(bytes, at: (index * tracks + track) * Peaks.recordSize))
                    }
                    Peaks.append(sum.peak, to: &merged)
                }
            }
        }
        return merged
    }

    /// The size of the peaks and the levels, in bytes.
    public var byteCount: Int { levels.reduce(peaks.records.count) { $0 + $1.count } }

    /// The peak of a part of a track, from all peaks that the part touches, at least one.
    ///
    /// - Parameters:
    ///   - track: the track.
    ///   - seconds: the part, from the beginning of the sound.
    /// - Returns: the peak; silence outside of the sound.
    public func peak(of track: Peaks.Track, in seconds: Range<Double>) -> Peaks.Peak {
        let perSecond = Double(peaks.rate) / Double(peaks.framesPerPeak)
        func index(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(min(max(0, (seconds * perSecond).rounded(rule)), Double(peaks.count)))
        }
        let first = index(seconds.lowerBound, .down)
        let end = index(seconds.upperBound, .up)
        if first >= peaks.count || seconds.upperBound <= 0 { return Peaks.Peak(lowest: 0, highest: 0) }
        return peak(of: track, in: first..<max(first + 1, end))
    }

    /// The lowest and the highest samples of several tracks together, and the average of their mean squares.
    func outline(of tracks: [Peaks.Track], in seconds: Range<Double>) -> Peaks.Peak {
        var sum = PeakSum()
        for track in tracks { sum.add(peak(of: track, in: seconds)) }
        return sum.peak
    }

    /// Merges several peaks of a track.
    ///
    /// - Parameters:
    ///   - track: the track.
    ///   - range: the peaks to merge. Indices outside are ignored.
    /// - Returns: the merged peak; silence for an empty range.
    public func peak(of track: Peaks.Track, in range: Range<Int>) -> Peaks.Peak {
        let range = range.clamped(to: 0..<peaks.count)
        let (number, tracks) = (peaks.index(of: track), peaks.trackCount)
        var sum = PeakSum()
        var index = range.lowerBound
        while index < range.upperBound {
            // The coarsest level with a whole peak that begins here.
            var level = min(levels.count, max(0, index.trailingZeroBitCount - Self.firstStep + 1))
            while level > 0, index + 1 << (level - 1 + Self.firstStep) > range.upperBound { level -= 1 }
            let step = level == 0 ? 0 : level - 1 + Self.firstStep
            let records = level == 0 ? peaks.records : levels[level - 1]
            let one = records.withUnsafeBytes {
                Peaks.peak($0, at: ((index >> step) * tracks + number) * Peaks.recordSize)
            }
            sum.add(one, weight: Double(1 << step))
            index += 1 << step
        }
        return sum.peak
    }

    /// The largest absolute sample of the tracks, from 0 to 32768.
    public func largest(of tracks: [Peaks.Track], in seconds: Range<Double>) -> Int {
        tracks.map { track in
            let peak = peak(of: track, in: seconds)
            return max(-Int(peak.lowest), Int(peak.highest), 0)
        }.max() ?? 0
    }
}
