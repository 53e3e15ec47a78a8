/// How large a picture is: its box in CSS px, and the device px to a CSS px.
public struct Geometry: Sendable, Hashable {
    /// Where the picture's height comes from.
    public enum Height: Sendable, Hashable {
        /// As high as the content.
        case content
        /// This many CSS px: longer content is cut off, shorter content stands on the background.
        case fixed(Int)
    }

    /// CSS px; default 400.
    public var width: Int
    /// Default `.content`.
    public var height: Height
    /// CSS px that `100vh` stands for. By default the fixed height, or 1 where the height comes from the content, so that
    /// a picture never gets taller than its content.
    public var viewportHeight: Int?
    /// The device scale factor: device px to a CSS px. Default 1.
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
