/// A sample of a pen.
///
/// It has the same memory layout as the C structure `offstage_ink_point`; a test compares them.
public struct InkPoint: Sendable, Hashable, Codable {
    /// Points (72 to the inch), from the page's left edge.
    public var x: Float
    /// Points, from the page's upper edge.
    public var y: Float
    /// 1 is the nominal pressure, at which a stroke has its nominal width.
    public var pressure: Float
    /// Radians from the upright pen: 0 is upright, π/2 lies flat.
    public var tilt: Float
    /// Radians, clockwise from the page's x axis: the direction in which the pen leans.
    public var azimuth: Float
    /// Seconds since the stroke began.
    public var time: Float

    /// Makes a sample.
    ///
    /// - Parameters:
    ///   - x: points, from the page's left edge.
    ///   - y: points, from the page's upper edge.
    ///   - pressure: default 1, the nominal pressure.
    ///   - tilt: radians from the upright pen. Default 0.
    ///   - azimuth: radians, the direction in which the pen leans. Default 0.
    ///   - time: seconds since the stroke began. Default 0.
    public init(x: Float, y: Float, pressure: Float = 1, tilt: Float = 0, azimuth: Float = 0, time: Float = 0) {
        (self.x, self.y, self.pressure) = (x, y, pressure)
        (self.tilt, self.azimuth, self.time) = (tilt, azimuth, time)
    }
}
