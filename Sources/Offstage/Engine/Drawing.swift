/// What an engine made of a request.
public struct Drawing: Sendable {
    /// Never none; one, unless the request asked for parts. Of the request's medium.
    public var pictures: [Picture]
    /// The request asked for every part of a kind, be it one.
    public var isInParts: Bool
    /// Device px to a CSS px, as drawn.
    public var scale: Double
    /// What stands behind the content, for the edges that are added to it.
    public var background: Color
    /// What stands in each of the pictures, in their order; empty where the request did not ask.
    public var contents: [PictureContent] = []
    /// The files that were used beside the request itself; set once drawn.
    public var dependencies: [Dependency] = []
    /// What is missing from the picture, or was refused; empty for a complete one.
    public var warnings: [DrawingWarning]

    public init(
        pictures: [Picture], isInParts: Bool = false, scale: Double, background: Color = .white,
        warnings: [DrawingWarning] = []
    ) {
        precondition(!pictures.isEmpty, "a drawing has at least one picture; throw a `DrawingError` instead")
        self.pictures = pictures
        self.isInParts = isInParts
        self.scale = scale
        self.background = background
        self.warnings = warnings
    }

    public init(
        pixmaps: [Pixmap], isInParts: Bool = false, scale: Double, background: Color = .white,
        warnings: [DrawingWarning] = []
    ) {
        self.init(
            pictures: pixmaps.map(Picture.pixels), isInParts: isInParts, scale: scale, background: background,
            warnings: warnings)
    }

    /// Of those pictures that are made of pixels.
    public var pixmaps: [Pixmap] {
        pictures.compactMap { if case .pixels(let pixmap) = $0 { pixmap } else { nil } }
    }
}
