import Offstage

/// How large a picture is: its box in CSS px, and the device px to a CSS px.
public struct Geometry: Sendable, Hashable {
    /// Where the picture's height comes from.
    public enum Height: Sendable, Hashable {
        /// As high as the content.
        case content
        /// This many CSS px: longer content is cut off, shorter content stands on the background.
        case fixed(Int)
    }

    /// Of the viewport, and of the picture unless it shrinks to fit; CSS px; default 400.
    public var width: Int
    /// True: the picture is as wide as the content would like to be, `width` at most; for labels and badges. Default false.
    public var shrinksToFit = false
    /// Default `.content`.
    public var height: Height
    /// CSS px; a picture as high as its content has at least this height.
    public var minimumHeight: Int?
    /// CSS px; of a picture as high as its content, what is below this is cut off.
    public var maximumHeight: Int?
    /// CSS px that `100vh` stands for. By default the fixed or the minimum height, else 1, so that a picture never gets
    /// taller than its content.
    public var viewportHeight: Int?
    /// The device scale factor: device px to a CSS px. Default 1. The layout is the same at every scale. At a fractional one the picture
    /// is the mean of what the next whole one paints, which resolution media queries see.
    public var scale: Double
    /// How large a picture may be for the files that it is drawn for: `ImageVariant.limit`, the smallest of several. What is
    /// larger is refused before it is painted. Nil, the default, for the engine's own limit alone.
    public var formatLimit: FormatLimit?

    public init(
        width: Int = 400, height: Height = .content, viewportHeight: Int? = nil, scale: Double = 1,
        formatLimit: FormatLimit? = nil
    ) {
        self.width = width
        self.height = height
        self.viewportHeight = viewportHeight
        self.scale = scale
        self.formatLimit = formatLimit
    }
}
