import Foundation

/// A finished picture.
public struct RenderedPicture: Sendable {
    /// The request's identifier.
    public internal(set) var identifier: String
    /// The number of the part, from 1; nil for a whole picture.
    public let part: Int?
    /// Pixels, except for files of another medium.
    let picture: Picture
    /// Memory reserved while files of the picture are made; nil for a picture that a host receives.
    var share: MemoryRoom.Share?
    /// The trust in the processes that drew it; empty for a picture from the store.
    private(set) var trust: [DrawingTrust] = []
    /// Device px per CSS px.
    public let scale: Double
    /// The problems of the drawing; empty for a complete picture without problems.
    public internal(set) var warnings: [DrawingWarning]

    /// The links, named elements and text; nil unless the request asks for them. A thumbnail has the content of its
    /// picture, in the picture's CSS px.
    public let content: PictureContent?
    /// The files that the drawing read in addition to the request.
    public let dependencies: [Dependency]
    /// The time of the drawing, without waiting in the queue.
    public let duration: Duration

    /// The origin of a picture.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// The engine, for this request or an equal one that waited at the same time.
        case drawn
        /// The memory cache.
        case memory
        /// The store.
        case disk
    }

    /// The engine, the memory cache or the store.
    public internal(set) var origin = Origin.drawn
    /// True for a picture from the memory cache or the store.
    public var isCached: Bool { origin != .drawn }

    init(
        identifier: String, part: Int?, picture: Picture, content: PictureContent?, drawing: Drawing, duration: Duration
    ) {
        self.identifier = identifier
        self.part = part
        self.picture = picture
        self.scale = drawing.scale
        self.warnings = drawing.warnings
        self.content = content
        self.dependencies = drawing.dependencies
        self.duration = duration
        trust = drawing.trust
    }

    /// A picture from the store.
    init(identifier: String, part: Int?, pixmap: Pixmap, _ info: PictureInfo, duration: Duration) {
        self.identifier = identifier
        self.part = part
        self.picture = .pixels(pixmap)
        self.scale = info.scale
        self.warnings = info.warnings
        self.content = info.content
        self.dependencies = info.dependencies
        self.duration = duration
        origin = .disk
    }

    /// The same picture with warnings about its request, which were not part of the drawing.
    package func adding(_ more: [DrawingWarning]) -> RenderedPicture {
        var picture = self
        picture.warnings += more
        return picture
    }

    /// A thumbnail, made by averaging; the picture itself if it fits. The `scale` stays the picture's. It takes time in proportion
    /// to the pixels: call it off the main thread.
    ///
    /// - Parameter box: device px, at least 1 × 1.
    public func fitted(into box: PixelSize) -> RenderedPicture {
        if fits(into: box) { return self }
        return RenderedPicture(self, pixmap: pixmap.fitted(into: box))
    }

    private init(_ image: RenderedPicture, pixmap: Pixmap) {
        identifier = image.identifier
        part = image.part
        picture = .pixels(pixmap)
        scale = image.scale
        warnings = image.warnings
        content = image.content
        dependencies = image.dependencies
        duration = image.duration
        origin = image.origin
        trust = image.trust
    }

    /// The pixels. Only `Renderer.files(for:as:)` handles pictures of another medium.
    public var pixmap: Pixmap {
        guard case .pixels(let pixmap) = picture else { preconditionFailure("this picture has no pixels") }
        return pixmap
    }

    func fits(into box: PixelSize) -> Bool { size.width <= box.width && size.height <= box.height }

    /// Links and named elements, in CSS px of the finished picture; empty unless the request asks for them.
    public var areas: [PictureArea] { content?.areas ?? [] }
    /// The text for a screen reader; nil unless the request asks for it.
    public var text: String? { content?.text }
    /// Device px.
    public var size: PixelSize { picture.size }
    /// False if the picture lacks something from its source; `warnings` lists it.
    public var isComplete: Bool { !warnings.contains(where: \.code.isDefect) }

    /// Encodes the picture. It takes time in proportion to the pixels: call it off the main thread.
    public func encoded(by encoder: some PictureEncoder = PNGEncoder()) throws(EncodingError) -> Data {
        try encoder.encode(pixmap, scale: scale)
    }

    /// Encodes the picture in the format of the file's extension, and writes it to `path` atomically. Replaces an existing file. A
    /// path without an extension becomes a PNG file.
    ///
    /// - Parameter path: ends with `.png`, `.jpg`, `.jpeg`, `.webp` or `.raw`, in lower or upper case.
    /// - Throws: `EncodingError`, also for any other extension, or `FileError`.
    public func write(to path: String) throws {
        let fileExtension = (path as NSString).pathExtension
        let formats = FileFormat.pixelFormats
        guard let format = fileExtension.isEmpty ? .png() : formats.format(ofExtension: fileExtension) else {
            let known = formats.flatMap(\.kind.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
            throw EncodingError(
                "no pixel format has the extension .\(fileExtension); use one of \(known), pass an encoder, or request "
                    + "files of another format from the renderer")
        }
        try write(to: path, as: format)
    }

    /// Encodes the picture and writes it to `path` atomically, whatever its extension. Replaces an existing file.
    ///
    /// - Throws: `EncodingError` or `FileError`.
    public func write(to path: String, as encoder: some PictureEncoder) throws {
        try AtomicFile.write(try encoded(by: encoder), to: path)
    }
}

extension RenderedPicture {
    /// The same picture, from the memory cache.
    var fromMemory: RenderedPicture {
        var image = self
        image.origin = .memory
        return image
    }
}
