import Foundation

/// A picture as a file's bytes, with what it was made of.
public struct StoredPicture: Sendable, Hashable {
    /// The file's bytes.
    public var data: Data
    public var info: PictureInfo

    public init(data: Data, info: PictureInfo) {
        self.data = data
        self.info = info
    }
}

/// What is known of a picture without its bytes.
public struct PictureInfo: Sendable, Hashable {
    /// What decided its pixels, but for the files in `dependencies`.
    public var fingerprint: Fingerprint
    /// The files that the drawing used, each once; it is still right only if each has the same content.
    public var dependencies: [Dependency]
    /// The format's name (`ImageFormat.name`), or the extension of an encoder that is not one of Offstage's own.
    public var format: String
    /// Device px.
    public var size: PixelSize
    /// Device px to a CSS px.
    public var scale: Double
    /// True where every pixel's alpha is 255.
    public var isOpaque: Bool
    /// What the picture lacks; empty for a complete one.
    public var warnings: [DrawingWarning]
    /// How many parts the drawing had; nil for a whole picture.
    public var partCount: Int?
    /// What stands in the picture; nil where the request did not ask for it. A thumbnail has that of its picture, in the
    /// picture's CSS px.
    public var content: PictureContent?
    /// Whatever else belongs to the picture, as a JSON text.
    public var extra: String?

    public init(
        fingerprint: Fingerprint, dependencies: [Dependency] = [], format: String, size: PixelSize, scale: Double,
        isOpaque: Bool, warnings: [DrawingWarning] = [], partCount: Int? = nil, content: PictureContent? = nil,
        extra: String? = nil
    ) {
        self.fingerprint = fingerprint
        self.dependencies = dependencies
        self.format = format
        self.size = size
        self.scale = scale
        self.isOpaque = isOpaque
        self.warnings = warnings
        self.partCount = partCount
        self.content = content
        self.extra = extra
    }

    /// Links and named elements, in CSS px; empty where the request did not ask.
    public var areas: [PictureArea] { content?.areas ?? [] }
    /// What a screen reader would say; nil where the request did not ask.
    public var text: String? { content?.text }
}
