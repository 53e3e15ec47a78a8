/// The result of drawing a request.
public struct Drawing: Sendable {
    /// One picture, or several if the request asked for parts; never empty. All have the request's medium.
    public var pictures: [Picture]
    /// True if the request asked for every part of a kind, even if there is only one.
    public var isInParts: Bool
    /// Device px per CSS px, as drawn.
    public var scale: Double
    /// The colour behind the content, for added edges.
    public var background: Color
    /// The links, names and text of each picture, in the order of the pictures; empty if the request did not ask for
    /// them.
    public var contents: [PictureContent] = []
    /// The files that the drawing used, apart from the request itself. Set after drawing.
    public var dependencies: [Dependency] = []
    /// Missing or refused parts of the picture; empty for a complete picture.
    public var warnings: [DrawingWarning]
    /// The trust in the processes that drew it, if they might have been taken over.
    package var trust: [DrawingTrust] = []

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

    /// The pictures that consist of pixels.
    public var pixmaps: [Pixmap] {
        pictures.compactMap { if case .pixels(let pixmap) = $0 { pixmap } else { nil } }
    }
}
