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

    public init(width: Int = 400, height: Height = .content, viewportHeight: Int? = nil, scale: Double = 1) {
        self.width = width
        self.height = height
        self.viewportHeight = viewportHeight
        self.scale = scale
    }
}
