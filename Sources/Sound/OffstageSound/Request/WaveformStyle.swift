import Offstage

/// The style of a waveform. Lengths are in CSS px, times in seconds from the beginning of the sound.
public struct WaveformStyle: Sendable, Hashable {
    /// The form of the peaks.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        /// Bars with gaps. The default.
        case bars
        /// The outline.
        case line
        /// The outline, filled: each device px has its peak.
        case filled
    }

    /// The side from which peaks grow.
    public enum Alignment: String, Sendable, Hashable, CaseIterable {
        /// To both sides of the middle. The default.
        case center
        case top
        case bottom
    }

    /// The scale of the amplitude.
    public enum Amplitude: String, Sendable, Hashable, CaseIterable {
        /// The default.
        case linear
        /// From -60 dB to full scale.
        case decibels
    }

    public var shape = Shape.bars
    /// At least 1. Default 800.
    public var width = 800
    /// At least 1. Default 120.
    public var height = 120
    /// More than 0. Default 3.
    public var barWidth = 3.0
    /// At least 0. Default 2.
    public var barGap = 2.0
    /// The radius of a bar's corners; at most half of its width counts. Default 1.5.
    public var barRadius = 1.5
    /// The height of silence, at least 0. Default 2.
    public var minimumHeight = 2.0
    /// The width of the line. Default 1.
    public var lineWidth = 1.0
    public var alignment = Alignment.center
    /// True, the default: both sides of the middle are as high as the larger of them. False: the lowest and the highest sample.
    public var isMirrored = true
    /// True: each channel has its own waveform, one below the other. Default false.
    public var splitsChannels = false
    /// True: the root mean square is drawn inside the peaks. Default false.
    public var showsRMS = false
    /// True: peaks with clipped samples have the colour `colors.clipping`. Default false.
    public var showsClipping = false
    public var amplitude = Amplitude.linear
    /// True: the largest peak of the sound is as high as the picture. Default false.
    public var isNormalized = false
    public var colors = WaveformColors.light
    /// The share of the visible part that was played, from 0 to 1. Default 0.
    public var played = 0.0
    /// The beginning of the visible part. Default 0.
    public var from = 0.0
    /// The end of the visible part; nil, the default, for the end of the sound.
    public var to: Double?
    public var markers: [Double] = []
    public var regions: [Region] = []
    /// True: a time axis is drawn below. Default false.
    public var showsAxis = false

    /// A part of the sound with a colour behind it.
    public struct Region: Sendable, Hashable {
        public var from: Double
        public var to: Double

        /// Makes a region.
        ///
        /// - Parameters:
        ///   - from: its start, in seconds.
        ///   - to: its end, in seconds.
        public init(from: Double, to: Double) {
            self.from = from
            self.to = to
        }
    }

    /// Makes a style with bars on a transparent background.
    public init() {}

    /// A text for fingerprints: the same for equal styles, in every build.
    var description: String {
        let bar = "\(barWidth) \(barGap) \(barRadius) \(minimumHeight) \(lineWidth)"
        let look =
            "\(shape) \(alignment) \(isMirrored) \(splitsChannels) \(showsRMS) \(showsClipping) \(amplitude) \(isNormalized)"
        let time = "\(played) \(from) \(to.map { "\($0)" } ?? "-") \(markers) \(regions.map { [$0.from, $0.to] })"
        return "\(width)x\(height) \(bar) \(look) \(colors.description) \(time) \(showsAxis)"
    }
}
