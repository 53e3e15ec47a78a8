import Foundation

/// A picture as a file's bytes, with its description.
public struct StoredPicture: Sendable, Hashable {
    /// The file's bytes.
    public var data: Data
    public var info: PictureInfo

    public init(data: Data, info: PictureInfo) {
        self.data = data
        self.info = info
    }
}

/// The description of a picture, without its bytes.
public struct PictureInfo: Sendable, Hashable {
    /// Identifies everything that decided its pixels, apart from the files in `dependencies`.
    public var fingerprint: Fingerprint
    /// The files that the drawing used, each once. The picture is up to date only if all of them have the same content.
    public var dependencies: [Dependency]
    /// The format's name (`FileFormat.name`), or the extension of an encoder that is not one of Offstage's own.
    public var format: String
    /// Device px.
    public var size: PixelSize
    /// Device px per CSS px.
    public var scale: Double
    /// True if every pixel's alpha is 255.
    public var isOpaque: Bool
    /// Missing parts of the picture; empty for a complete picture.
    public var warnings: [DrawingWarning]
    /// The number of parts of the drawing; nil for a whole picture.
    public var partCount: Int?
    /// The picture's links, named elements and text; nil if the request did not ask for them. A thumbnail has the
    /// content of its picture, in the picture's CSS px.
    public var content: PictureContent?
    /// Additional data of the picture, as a JSON text.
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

    /// Links and named elements, in CSS px; empty if the request did not ask for them.
    public var areas: [PictureArea] { content?.areas ?? [] }
    /// The text for a screen reader; nil if the request did not ask for it.
    public var text: String? { content?.text }
}
