import Foundation

/// A line drawn with a tool. Lengths are in points, 72 per inch.
public struct Stroke: Sendable, Hashable, Codable {
    /// In drawing order.
    public var points: [InkPoint]
    public var tool: InkTool
    public var color: InkColor
    /// The width at nominal pressure.
    public var width: Float
    public var cap = InkCap.round
    /// 0: straight lines between the points. 1: the softest curve through all points. Default 0.
    public var smoothing: Float = 0
    public var dynamics = InkDynamics()
    /// The length over which the beginning tapers. Default 0.
    public var taperStart: Float = 0
    /// The length over which the end tapers. Default 0.
    public var taperEnd: Float = 0
    /// Alternating lengths of ink and gaps, at most 8. Empty, the default, for a solid line.
    public var dash: [Float] = []
    /// The opacity of the fill, 0 to 255. Default 0 for none.
    public var fill: UInt8 = 0
    /// Boxed, because most strokes have none.
    private var boxed: BoxedTexture?

    /// Makes a stroke.
    ///
    /// - Parameters:
    ///   - points: in drawing order.
    ///   - tool: default a pen.
    ///   - color: default black.
    ///   - width: points, at nominal pressure. Default 1.41, Xournal++'s medium pen.
    public init(_ points: [InkPoint], tool: InkTool = .pen, color: InkColor = .black, width: Float = 1.41) {
        (self.points, self.tool, self.color, self.width) = (points, tool, color, width)
    }

    /// Stamps along the curve instead of a solid line. Default none.
    public var texture: InkTexture? {
        get { boxed?.texture }
        set { boxed = newValue.map(BoxedTexture.init) }
    }
}

/// A texture that strokes share.
private final class BoxedTexture: Sendable, Hashable, Codable {
    let texture: InkTexture

    init(_ texture: InkTexture) { self.texture = texture }

    static func == (one: BoxedTexture, other: BoxedTexture) -> Bool { one === other || one.texture == other.texture }

    func hash(into hasher: inout Hasher) { hasher.combine(texture) }
}

extension Stroke {
    /// Returns the stroke with its points moved.
    public func moved(x: Float, y: Float) -> Stroke { transformed(InkTransform(x: x, y: y)) }

    /// Returns the transformed stroke. Its width is scaled by the square root of the change in area.
    public func transformed(_ transform: InkTransform) -> Stroke {
        var stroke = self
        for index in stroke.points.indices {
            (stroke.points[index].x, stroke.points[index].y) = transform.apply(points[index].x, points[index].y)
        }
        let factor = transform.scale
        if factor != 1 {
            stroke.width *= factor
            stroke.taperStart *= factor
            stroke.taperEnd *= factor
            stroke.dash = dash.map { $0 * factor }
        }
        // If a stamp does not rotate with the curve, it rotates with the stroke.
        if var texture = stroke.texture, texture.rotation != .direction, transform.b != 0 || transform.a < 0 {
            texture.angle += Float(atan2(Double(transform.b), Double(transform.a)))
            stroke.texture = texture
        }
        return stroke
    }
}

/// An affine map of the page: `x' = a·x + c·y + x`, `y' = b·x + d·y + y`.
public struct InkTransform: Sendable, Hashable, Codable {
    public var a: Float = 1
    public var b: Float = 0
    public var c: Float = 0
    public var d: Float = 1
    /// Points.
    public var x: Float = 0
    /// Points.
    public var y: Float = 0

    /// Makes a translation.
    ///
    /// - Parameters:
    ///   - x: points. Default 0.
    ///   - y: points. Default 0.
    public init(x: Float = 0, y: Float = 0) { (self.x, self.y) = (x, y) }

    /// Makes a rotation and scaling around a point.
    ///
    /// - Parameters:
    ///   - angle: radians, clockwise. Default 0.
    ///   - scale: default 1.
    ///   - centerX: points.
    ///   - centerY: points.
    public init(angle: Float = 0, scale: Float = 1, centerX: Float, centerY: Float) {
        let (sine, cosine) = (Float(sin(Double(angle))) * scale, Float(cos(Double(angle))) * scale)
        (a, b, c, d) = (cosine, sine, -sine, cosine)
        (x, y) = (centerX - a * centerX - c * centerY, centerY - b * centerX - d * centerY)
    }

    func apply(_ px: Float, _ py: Float) -> (Float, Float) { (a * px + c * py + x, b * px + d * py + y) }

    /// The average scale factor for lengths.
    var scale: Float { abs(a * d - b * c).squareRoot() }
}
