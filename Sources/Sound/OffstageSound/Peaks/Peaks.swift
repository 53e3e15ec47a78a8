import Foundation

/// The outline of a sound: for each piece of `framesPerPeak` frames, the lowest and the highest sample, and the mean
/// square.
///
/// One decoding gives the peaks for every size, colour, zoom and played share. A sound with several channels has a mix,
/// `Track.mix`, and the separate channels.
public struct Peaks: Sendable, Hashable {
    /// Frames per second.
    public let rate: Int
    /// From 1 to 32.
    public let channels: Int
    /// At least 1. The last peak may have fewer.
    public let framesPerPeak: Int
    /// False for peaks from a file without mean squares.
    public let hasMeanSquares: Bool
    /// False for peaks from a file with only the mix.
    public let hasChannels: Bool
    /// For each time, the records of all tracks: the lowest and the highest sample, little-endian, and the root mean
    /// square as a fraction of the larger absolute value, from 0 to 255. A peak with clipped samples has the highest
    /// sample first.
    let records: Data

    /// The size of a track's peak in bytes.
    static let recordSize = 5

    /// A track of a sound.
    public enum Track: Sendable, Hashable {
        /// The mix of all channels: their sum divided by their number, truncated towards zero.
        case mix
        /// From 0.
        case channel(Int)
    }

    /// One piece of one track.
    public struct Peak: Sendable, Hashable {
        public var lowest: Int16
        public var highest: Int16
        /// The mean of the squared samples.
        public var meanSquare: Double
        /// True if it contains clipped samples. Always false for the mix of several channels, and for peaks from a
        /// file.
        public var isClipped: Bool

        /// Makes a peak.
        ///
        /// - Parameters:
        ///   - lowest: the lowest sample.
        ///   - highest: the highest sample.
        ///   - meanSquare: the mean of the squared samples. Default 0, for unknown.
        ///   - isClipped: true if it contains clipped samples. Default false.
        public init(lowest: Int16, highest: Int16, meanSquare: Double = 0, isClipped: Bool = false) {
            self.lowest = lowest
            self.highest = highest
            self.meanSquare = meanSquare
            self.isClipped = isClipped
        }
    }

    /// - Parameter records: must be a whole number of records.
    init(
        rate: Int, channels: Int, framesPerPeak: Int, hasMeanSquares: Bool = true, hasChannels: Bool = true,
        records: Data
    ) {
        self.rate = rate
        self.channels = channels
        self.framesPerPeak = framesPerPeak
        self.hasMeanSquares = hasMeanSquares
        self.hasChannels = hasChannels
        self.records = records
    }

    /// The tracks of each record.
    var trackCount: Int { Self.trackCount(channels: channels, hasChannels: hasChannels) }

    static func trackCount(channels: Int, hasChannels: Bool = true) -> Int {
        channels == 1 || !hasChannels ? 1 : channels + 1
    }

    /// The number of peaks of each track.
    public var count: Int { records.count / (trackCount * Self.recordSize) }

    /// Seconds. The last peak counts as a whole one.
    public var duration: Double { Double(count) * Double(framesPerPeak) / Double(rate) }

    /// The tracks to draw or write separately: the channels; only the mix if the channels are not known.
    public var separateTracks: [Track] { hasChannels && channels > 1 ? (0..<channels).map { .channel($0) } : [.mix] }

    func index(of track: Track) -> Int {
        switch track {
        case .mix: 0
        case .channel(let number): trackCount == 1 ? 0 : min(max(0, number), channels - 1) + 1
        }
    }

    /// A peak.
    ///
    /// - Parameters:
    ///   - track: a nonexistent channel counts as the nearest one.
    ///   - index: from 0, less than `count`.
    public subscript(track: Track, index: Int) -> Peak {
        records.withUnsafeBytes { Self.peak($0, at: (index * trackCount + self.index(of: track)) * Self.recordSize) }
    }

    static func peak(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Peak {
        let first = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
        let second = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 2, as: Int16.self))
        let (lowest, highest) = (min(first, second), max(first, second))
        let root = Double(bytes[offset + 4]) * largest(lowest, highest) / 255
        return Peak(lowest: lowest, highest: highest, meanSquare: root * root, isClipped: first > second)
    }

    private static func largest(_ lowest: Int16, _ highest: Int16) -> Double {
        Double(max(-Int(lowest), Int(highest), 0))
    }

    static func append(_ peak: Peak, to records: inout Data) {
        // A file can have them in the wrong order, which must not count as the clipping mark.
        let (lowest, highest) = (min(peak.lowest, peak.highest), max(peak.lowest, peak.highest))
        let samples = peak.isClipped ? [highest, lowest] : [lowest, highest]
        for sample in samples { withUnsafeBytes(of: sample.littleEndian) { records.append(contentsOf: $0) } }
        let largest = largest(peak.lowest, peak.highest)
        let share = largest > 0 ? (peak.meanSquare.squareRoot() * 255 / largest).rounded() : 0
        records.append(UInt8(min(255, max(0, share))))
    }
}
