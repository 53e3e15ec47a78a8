import Foundation

extension Peaks {
    /// Merges peaks as audiowaveform does: with a fractional factor, the pieces differ in length by one peak.
    ///
    /// - Parameter framesPerPeak: at least as many as now; a smaller number gives the same peaks.
    /// - Returns: the peaks.
    public func rescaled(to framesPerPeak: Int) -> Peaks {
        if framesPerPeak <= self.framesPerPeak { return self }
        var merged = Data(capacity: count * self.framesPerPeak / framesPerPeak * trackCount * Self.recordSize)
        records.withUnsafeBytes { bytes in
            var (start, output) = (0, 1)
            while start < count {
                let (frames, overflows) = output.multipliedReportingOverflow(by: framesPerPeak)
                let end = overflows ? count : min(count, frames / self.framesPerPeak)
                for track in 0..<trackCount { Self.append(merge(bytes, track, start..<end), to: &merged) }
                start = end
                output += 1
            }
        }
        return Peaks(
            rate: rate, channels: channels, framesPerPeak: framesPerPeak, hasMeanSquares: hasMeanSquares,
            hasChannels: hasChannels, records: merged)
    }

    /// The peaks of a part of the sound.
    ///
    /// - Parameters:
    ///   - from: the start of the part, in seconds.
    ///   - to: its end, in seconds; nil for the end of the sound.
    /// - Returns: the peaks that the part touches.
    public func part(from: Double, to: Double?) -> Peaks {
        let perSecond = Double(rate) / Double(framesPerPeak)
        func index(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(max(0, min(Double(count), (seconds * perSecond).rounded(rule))))
        }
        let first = index(from, .down)
        let end = max(first, to.map { index($0, .up) } ?? count)
        return part(first..<end)
    }

    func part(_ numbers: Range<Int>) -> Peaks {
        if numbers == 0..<count { return self }
        let size = trackCount * Self.recordSize
        return Peaks(
            rate: rate, channels: channels, framesPerPeak: framesPerPeak, hasMeanSquares: hasMeanSquares,
            hasChannels: hasChannels,
            records: Data(records.dropFirst(numbers.lowerBound * size).prefix(numbers.count * size)))
    }

    private func merge(_ bytes: UnsafeRawBufferPointer, _ track: Int, _ range: Range<Int>) -> Peak {
        var merged = PeakSum()
        for index in range { merged.add(Self.peak(bytes, at: (index * trackCount + track) * Self.recordSize)) }
        return merged.peak
    }
}

/// Combines peaks into one.
struct PeakSum {
    private var lowest = Int16.max
    private var highest = Int16.min
    private var squares = 0.0
    private var weight = 0.0
    private var isClipped = false

    /// - Parameter weight: the number of peaks that this one represents.
    mutating func add(_ peak: Peaks.Peak, weight: Double = 1) {
        lowest = min(lowest, peak.lowest)
        highest = max(highest, peak.highest)
        squares += peak.meanSquare * weight
        self.weight += weight
        isClipped = isClipped || peak.isClipped
    }

    /// Zero if nothing was added.
    var peak: Peaks.Peak {
        if weight == 0 { return Peaks.Peak(lowest: 0, highest: 0) }
        return Peaks.Peak(lowest: lowest, highest: highest, meanSquare: squares / weight, isClipped: isClipped)
    }
}
