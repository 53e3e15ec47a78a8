/// What an engine made of a request.
public struct Drawing: Sendable {
    /// Never none; one, unless the request asked for parts.
    public var pixmaps: [Pixmap]
    /// The request asked for every part of a kind, be it one.
    public var isInParts: Bool
    /// Device px to a CSS px, as drawn.
    public var scale: Double
    /// What stands behind the content, for the edges that are added to it.
    public var background: Color
    /// What stands in each of the pixmaps, in their order; empty where the request did not ask.
    public var contents: [PictureContent] = []
    /// The files that were used beside the request itself; set once drawn.
    public var dependencies: [Dependency] = []
    /// What is missing from the picture, or was refused; empty for a complete one.
    public var warnings: [DrawingWarning]

    public init(
        pixmaps: [Pixmap], isInParts: Bool = false, scale: Double, background: Color = .white,
        warnings: [DrawingWarning] = []
    ) {
        precondition(!pixmaps.isEmpty)
        self.pixmaps = pixmaps
        self.isInParts = isInParts
        self.scale = scale
        self.background = background
        self.warnings = warnings
    }
}
