/// What an engine made of a request.
public struct Drawing: Sendable {
    /// One, or as many as the request asked for parts; never none.
    public var pixmaps: [Pixmap]
    /// Device px to a CSS px, as drawn.
    public var scale: Double
    /// What is missing from the picture, or was refused; empty for a complete one.
    public var warnings: [DrawingWarning]

    public init(pixmaps: [Pixmap], scale: Double, warnings: [DrawingWarning] = []) {
        self.pixmaps = pixmaps
        self.scale = scale
        self.warnings = warnings
    }
}
