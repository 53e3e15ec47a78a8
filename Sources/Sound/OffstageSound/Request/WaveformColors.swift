import Offstage

/// The colours of a waveform.
public struct WaveformColors: Sendable, Hashable {
    /// One colour, or a gradient from the top to the bottom.
    public struct Paint: Sendable, Hashable {
        public var top: Color
        /// Nil, the default, for `top` everywhere.
        public var bottom: Color?

        /// Makes a paint.
        ///
        /// - Parameters:
        ///   - top: the colour, or the top colour of a gradient.
        ///   - bottom: the bottom colour. Default nil, for one colour.
        public init(_ top: Color, bottom: Color? = nil) {
            self.top = top
            self.bottom = bottom
        }

        fileprivate var description: String { "\(top) \(bottom.map { "\($0)" } ?? "-")" }
    }

    /// The part that was not played.
    public var unplayed: Paint
    /// The part that was played.
    public var played: Paint
    /// The root mean square.
    public var rms: Paint
    public var playedRMS: Paint
    /// Default transparent.
    public var background = Color.transparent
    public var axis: Color
    public var marker: Color
    public var region: Color
    /// The peaks with clipped samples, if `WaveformStyle.showsClipping` is true.
    public var clipping: Color

    private static func gray(_ value: Double, alpha: Double = 1) -> Color {
        Color(red: value, green: value, blue: value, alpha: alpha)
    }

    private static func color(_ red: Int, _ green: Int, _ blue: Int, alpha: Double = 1) -> Color {
        Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: alpha)
    }

    /// For a light background.
    public static let light = WaveformColors(
        unplayed: Paint(color(0xA9, 0xB4, 0xC2)), played: Paint(color(0x1E, 0x6F, 0xD9)),
        rms: Paint(color(0x74, 0x82, 0x94)), playedRMS: Paint(color(0x12, 0x46, 0x8F)), axis: gray(0.35),
        marker: color(0xD0, 0x36, 0x1B), region: color(0xFF, 0xB3, 0x00, alpha: 0.25),
        clipping: color(0xE6, 0x00, 0x7E))

    /// For a dark background.
    public static let dark = WaveformColors(
        unplayed: Paint(color(0x5C, 0x67, 0x75)), played: Paint(color(0x6A, 0xAE, 0xFF)),
        rms: Paint(color(0x8F, 0x9C, 0xAD)), playedRMS: Paint(color(0xB9, 0xD8, 0xFF)), axis: gray(0.7),
        marker: color(0xFF, 0x7A, 0x5C), region: color(0xFF, 0xC8, 0x4D, alpha: 0.25),
        clipping: color(0xFF, 0x4F, 0xA3))

    var description: String {
        let paints = [unplayed, played, rms, playedRMS].map(\.description).joined(separator: " ")
        return "\(paints) \([background, axis, marker, region, clipping])"
    }
}
