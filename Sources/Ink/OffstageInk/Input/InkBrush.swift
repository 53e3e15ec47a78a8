/// The settings of a tool, as in the host's interface. Lengths are in points.
public struct InkBrush: Sendable, Hashable, Codable {
    public var tool: InkTool
    public var color: InkColor
    public var width: Float
    public var cap = InkCap.round
    public var dynamics = InkDynamics()
    /// 0: straight lines between the points. 1: the softest curve. Default 0.75.
    public var smoothing: Float = 0.75
    public var taperStart: Float = 0
    public var taperEnd: Float = 0
    public var dash: [Float] = []
    public var fill: UInt8 = 0
    /// 0, the default, for none. 1: the line follows the pen slowly, for smooth lines.
    public var stabilizer: Float = 0
    /// Stamps along the curve instead of a solid line. Default none.
    public var texture: InkTexture?

    /// Makes a brush.
    ///
    /// - Parameters:
    ///   - tool: default a pen.
    ///   - color: default black.
    ///   - width: points. Default 1.41.
    public init(_ tool: InkTool = .pen, color: InkColor = .black, width: Float = 1.41) {
        (self.tool, self.color, self.width) = (tool, color, width)
    }

    /// A pen whose width follows the pressure.
    public static let pen = with(InkBrush(.pen)) { $0.dynamics = .pressure }
    /// A wide, translucent pen.
    public static let marker = InkBrush(
        .marker, color: InkColor(red: 30, green: 90, blue: 200, opacity: 130), width: 18)
    /// Shows the paper's grain, and follows pressure and tilt.
    public static let pencil = with(InkBrush(.pencil, color: InkColor(red: 40, green: 40, blue: 46), width: 2.2)) {
        $0.dynamics.widthByPressure = 0.3
        $0.dynamics.opacityByPressure = 0.8
    }
    /// Crumbs of chalk, denser with more pressure.
    public static let chalk = with(InkBrush(.pen, color: InkColor(red: 60, green: 70, blue: 90), width: 9)) {
        $0.dynamics.widthByPressure = 0.3
        $0.dynamics.opacityByPressure = 0.6
        $0.texture = InkTexture(.chalk)
    }
    /// A stick of charcoal, oriented as the pen leans.
    public static let charcoal = with(InkBrush(.pen, color: InkColor(red: 30, green: 28, blue: 28), width: 12)) {
        $0.dynamics.opacityByPressure = 0.8
        $0.texture = InkTexture(.charcoal)
    }
    /// A broad pen, held at an angle of 45 degrees.
    public static let calligraphy = with(InkBrush(.pen, width: 6)) { $0.texture = InkTexture(.nib) }
    /// Yellow, like Xournal++'s highlighter.
    public static let highlighter = InkBrush(
        .highlighter, color: InkColor(red: 255, green: 230, blue: 0, opacity: 120), width: 14)

    private static func with(_ brush: InkBrush, _ change: (inout InkBrush) -> Void) -> InkBrush {
        var brush = brush
        change(&brush)
        return brush
    }

    /// An empty stroke with this brush.
    public var stroke: Stroke {
        var stroke = Stroke([], tool: tool, color: color, width: width)
        (stroke.cap, stroke.dynamics, stroke.smoothing) = (cap, dynamics, smoothing)
        (stroke.taperStart, stroke.taperEnd, stroke.dash, stroke.fill) = (taperStart, taperEnd, dash, fill)
        stroke.texture = texture
        return stroke
    }
}
