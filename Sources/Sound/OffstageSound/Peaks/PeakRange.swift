import Foundation

/// A part of a sound's peaks at a zoom level, for viewers that load only the visible part.
public struct PeakRange: Sendable {
    /// The values of the part.
    public var peaks: Peaks
    /// Their indices among those of the whole sound at this zoom level. The values do not depend on the part, so
    /// adjacent parts fit together.
    public var numbers: Range<Int>
    /// The number of values of the whole sound at this zoom level.
    public var total: Int
}

extension PeakPyramid {
    /// The values of a part of the sound. Uses coarser levels of the pyramid where possible, so the time depends on the
    /// number of values, not on the sound. The values are those of `Peaks.rescaled(to:)`.
    ///
    /// - Parameters:
    ///   - from: the start of the part, in seconds. Default 0.
    ///   - to: its end, in seconds; nil, the default, for the end of the sound.
    ///   - framesPerPeak: at least as many as in the pyramid; a smaller number gives the pyramid's own peaks.
    /// - Returns: the values that the part touches; empty for a part after the end.
    public func range(from: Double = 0, to: Double? = nil, framesPerPeak: Int) -> PeakRange {
        let own = peaks.framesPerPeak
        let frames = max(framesPerPeak, own)
        let total = frames == own ? peaks.count : Self.count(of: peaks.count, own: own, merged: frames)
        let perSecond = Double(peaks.rate) / Double(frames)
        func index(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(max(0, min(Double(total), (seconds * perSecond).rounded(rule))))
        }
        let first = index(from, .down)
        let numbers = first..<max(first, to.map { index($0, .up) } ?? total)
        if frames == own { return PeakRange(peaks: peaks.part(numbers), numbers: numbers, total: total) }
        let tracks: [Peaks.Track] = peaks.trackCount == 1 ? [.mix] : [.mix] + peaks.separateTracks
        var records = Data(capacity: numbers.count * peaks.trackCount * Peaks.recordSize)
        for number in numbers {
            let start = Self.start(number, own: own, merged: frames, count: peaks.count)
            let end = Self.start(number + 1, own: own, merged: frames, count: peaks.count)
            for track in tracks { Peaks.append(peak(of: track, in: start..<end), to: &records) }
        }
        let merged = Peaks(
            rate: peaks.rate, channels: peaks.channels, framesPerPeak: frames, hasMeanSquares: peaks.hasMeanSquares,
            hasChannels: peaks.hasChannels, records: records)
        return PeakRange(peaks: merged, numbers: numbers, total: total)
    }

    /// The first source peak of a merged one, as in audiowaveform.
    private static func start(_ number: Int, own: Int, merged: Int, count: Int) -> Int {
        let (frames, overflows) = number.multipliedReportingOverflow(by: merged)
        return overflows ? count : min(count, frames / own)
    }

    /// The number of merged peaks: the index of the first one that would begin at the end.
    private static func count(of count: Int, own: Int, merged: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if start(middle, own: own, merged: merged, count: count) >= count {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
