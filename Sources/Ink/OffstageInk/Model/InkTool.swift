/// A tool that draws.
public enum InkTool: String, Sendable, Hashable, Codable, CaseIterable {
    case pen
    /// A wide, usually translucent pen.
    case marker
    /// Shows the grain of the paper. A tilted pencil draws wider and paler.
    case pencil
    /// Darkens light paper and lightens dark paper, so that the content below stays legible.
    case highlighter
    /// Covers the paper with white.
    case whiteout
}

/// The end of a stroke.
public enum InkCap: String, Sendable, Hashable, Codable, CaseIterable {
    case round
    /// Cut off at the last point.
    case butt
    /// Extends half of the width beyond the last point.
    case square
}

/// A straight (not premultiplied) sRGB colour, each component from 0 to 255.
public struct InkColor: Sendable, Hashable, Codable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var opacity: UInt8

    /// Makes a colour.
    ///
    /// - Parameters:
    ///   - red: 0 to 255.
    ///   - green: 0 to 255.
    ///   - blue: 0 to 255.
    ///   - opacity: 0 to 255. Default 255.
    public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
    }

    public static let black = InkColor(red: 0, green: 0, blue: 0)
    public static let white = InkColor(red: 255, green: 255, blue: 255)

    /// True for a colour on which a highlighter lightens.
    public var isDark: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) < 127_500 }
}

/// The influence of the pen's pressure and speed on a stroke. Each number is a share from 0 (no influence, the default) to 1.
public struct InkDynamics: Sendable, Hashable, Codable {
    /// 1: the width is proportional to the pressure.
    public var widthByPressure: Float = 0
    /// Fast parts are thinner.
    public var widthBySpeed: Float = 0
    public var opacityByPressure: Float = 0
    /// Fast parts are paler.
    public var opacityBySpeed: Float = 0

    /// No influence.
    public init() {}

    /// A width that is proportional to the pressure.
    public static let pressure = with { $0.widthByPressure = 1 }
    /// A width that depends on the speed, for a mouse or a finger.
    public static let speed = with { $0.widthBySpeed = 0.6 }

    private static func with(_ change: (inout InkDynamics) -> Void) -> InkDynamics {
        var dynamics = InkDynamics()
        change(&dynamics)
        return dynamics
    }
}
