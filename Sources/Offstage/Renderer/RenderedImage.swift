import Foundation

/// A finished picture.
public struct RenderedImage: Sendable {
    /// The request's.
    public internal(set) var identifier: String
    /// Which of several parts that the request asked for, from 1; nil for a whole picture.
    public let part: Int?
    /// Pixels, but for files that are made of something else.
    let picture: Picture
    /// Device px to a CSS px.
    public let scale: Double
    /// What is missing from the picture or was refused; empty for a complete one.
    public let warnings: [DrawingWarning]

    /// What stands in the picture; nil where the request did not ask for it. A thumbnail has that of its picture, in the
    /// picture's CSS px.
    public let content: PictureContent?
    /// The files that were used beside the request itself.
    public let dependencies: [Dependency]
    /// From the start of the drawing, after any waiting, to its end.
    public let duration: Duration

    /// Where a picture is from.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// The engine drew it for this request, or for an equal one that waited at the same time.
        case drawn
        /// The memory cache had it.
        case memory
        /// The store had it.
        case disk
    }

    /// Whether the engine drew it, or the memory cache or the store had it.
    public internal(set) var origin = Origin.drawn
    /// True for a picture from the memory cache or the store.
    public var isKept: Bool { origin != .drawn }

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
    }

    /// From a store.
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

    /// A thumbnail, made by averaging; the picture as it is where it fits. Its `scale` stays the picture's. It takes time in
    /// proportion to the pixels: call it off the main thread.
    ///
    /// - Parameter box: device px, at least 1 × 1.
    public func fitted(into box: PixelSize) -> RenderedImage {
        if fits(into: box) { return self }
        return RenderedImage(self, pixmap: pixmap.fitted(into: box))
    }

    private init(_ image: RenderedImage, pixmap: Pixmap) {
        identifier = image.identifier
        part = image.part
        picture = .pixels(pixmap)
        scale = image.scale
        warnings = image.warnings
        content = image.content
        dependencies = image.dependencies
        duration = image.duration
        origin = image.origin
    }

    /// Only `Renderer.files(for:as:)` sees pictures of another medium, and makes files of them.
    public var pixmap: Pixmap {
        guard case .pixels(let pixmap) = picture else { preconditionFailure("a picture without pixels") }
        return pixmap
    }

    func fits(into box: PixelSize) -> Bool { size.width <= box.width && size.height <= box.height }

    /// Links and named elements, in CSS px of the finished picture; empty where the request did not ask.
    public var areas: [PictureArea] { content?.areas ?? [] }
    /// What a screen reader would say; nil where the request did not ask.
    public var text: String? { content?.text }
    /// Device px.
    public var size: PixelSize { picture.size }
    /// False where the picture lacks something that its author put there; `warnings` says what.
    public var isComplete: Bool { !warnings.contains(where: \.code.isDefect) }

    /// The picture as a file's bytes. It takes time in proportion to the pixels: call it off the main thread.
    public func encoded(by encoder: some ImageEncoder = PNGEncoder()) throws(EncodingError) -> Data {
        try encoder.encode(pixmap, scale: scale)
    }

    /// Encodes the picture in the format of the file's extension, and puts it at `path`, whole or not at all; replaces an older
    /// file. A path without an extension becomes a PNG file.
    ///
    /// - Parameter path: ends with `.png`, `.jpg`, `.jpeg`, `.webp` or `.raw`, in small or capital letters.
    /// - Throws: `EncodingError`, also for any other extension, or `FileError`.
    public func write(to path: String) throws {
        let fileExtension = (path as NSString).pathExtension
        let formats = ImageFormat.pixelFormats
        guard let format = fileExtension.isEmpty ? .png() : formats.format(ofExtension: fileExtension) else {
            let known = formats.flatMap(\.kind.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
            throw EncodingError(
                "no format of pixels has the extension .\(fileExtension); use one of \(known), name an encoder, or ask the "
                    + "renderer for files of another format")
        }
        try write(to: path, as: format)
    }

    /// Encodes the picture and puts it at `path`, whole or not at all; replaces an older file. The extension does not matter.
    ///
    /// - Throws: `EncodingError` or `FileError`.
    public func write(to path: String, as encoder: some ImageEncoder) throws {
        try AtomicFile.write(try encoded(by: encoder), to: path)
    }
}

extension RenderedImage {
    /// As the memory cache gives it.
    var fromMemory: RenderedImage {
        var image = self
        image.origin = .memory
        return image
    }
}
