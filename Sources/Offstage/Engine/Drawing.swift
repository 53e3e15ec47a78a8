/// What an engine made of a request.
public struct Drawing: Sendable {
    public var pixmap: Pixmap
    /// Device px to a CSS px, as drawn.
    public var scale: Double
    /// What is missing from the picture, or was refused; empty for a complete one.
    public var warnings: [DrawingWarning]

    public init(pixmap: Pixmap, scale: Double, warnings: [DrawingWarning] = []) {
        self.pixmap = pixmap
        self.scale = scale
        self.warnings = warnings
    }
}
