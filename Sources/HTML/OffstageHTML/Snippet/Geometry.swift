import Offstage

/// The size of a picture: its box in CSS px, and its scale in device px per CSS px.
public struct Geometry: Sendable, Hashable, Codable {
    /// The rule for the picture's height.
    public enum Height: Sendable, Hashable, Codable {
        /// The height of the content.
        case content
        /// A fixed height in CSS px. Longer content is cut off; below shorter content, the background is visible.
        case fixed(Int)
    }

    /// Width of the viewport in CSS px. The picture has the same width, unless it shrinks to fit. Default 400.
    public var width: Int
    /// True: the picture is as wide as its content needs, and at most `width`. For labels and badges. Default false.
    public var shrinksToFit = false
    /// The rule for the picture's height. Default `.content`.
    public var height: Height
    /// Minimum height of a picture that is as high as its content, in CSS px.
    public var minimumHeight: Int?
    /// Maximum height of a picture that is as high as its content, in CSS px. Content below it is cut off.
    public var maximumHeight: Int?
    /// The value of `100vh`, in CSS px. The default is the fixed height. Without one, it is the content's height if the
    /// document depends on the viewport's height (docs/command-line.md, "The viewport's height"), or else the minimum
    /// height or 1.
    public var viewportHeight: Int?
    /// The device scale factor: device px per CSS px. Default 1. The layout is the same at every scale. At a fractional scale,
    /// Offstage paints at the next whole scale, which resolution media queries report, and averages the pixels.
    public var scale: Double
    /// The size limit of the file formats that the picture will be encoded in: `FileVariant.limit`, the smallest if there are
    /// several. A larger picture is an error before it is painted. Nil, the default, applies only the engine's own limit.
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

    /// The viewport's height with the defaults applied, in CSS px.
    package var resolvedViewportHeight: Int {
        if case .fixed(let height) = height { return viewportHeight ?? height }
        // If the content is lower than the minimum, the viewport's canvas fills the rest.
        return max(viewportHeight ?? 1, minimumHeight ?? 1)
    }
}
