/// The pictures of one drawing, as they are kept in memory: decoded, ready to paint.
public struct KeptImages: Sendable {
    let fingerprint: Fingerprint
    /// One, or one a part.
    public let images: [RenderedImage]

    /// Bytes of the pixels and of what stands in them: what an `ImageCache` goes by.
    public var byteCount: Int {
        images.reduce(0) { $0 + $1.pixmap.byteCount + ($1.content?.byteCount ?? 0) }
    }

    /// A cache of them, least recently used first to leave.
    public static func cache(limits: ImageCacheLimits = ImageCacheLimits()) -> ImageCache<KeptImages> {
        ImageCache(limits: limits) { $0.byteCount }
    }
}

extension ImageVariant {
    /// As what a renderer keeps pictures on disk: without loss, so that they come back as they were. `files(for:as:)` keeps the
    /// same under the same name, so that each finds the other's.
    static func pixels(of request: some DrawingRequest) -> ImageVariant {
        ImageVariant(.png(), scale: request.scale)
    }

    static func thumbnail(of request: some DrawingRequest, _ box: PixelSize) -> ImageVariant {
        ImageVariant(.png(), fittingInto: box, scale: request.scale)
    }

    /// The whole picture that a thumbnail is one of.
    var whole: ImageVariant { ImageVariant(.png(), scale: scale) }
}

extension PictureKey {
    init(_ identifier: String, _ variant: ImageVariant, part: Int? = nil) {
        self.init(identifier, variant: variant.name, part: part)
    }

    /// Where a renderer keeps a drawing's pixels.
    static func pixels(of request: some DrawingRequest) -> PictureKey {
        pixels(of: request.identifier, scale: request.scale)
    }

    package static func pixels(of identifier: String, scale: Double = 1) -> PictureKey {
        PictureKey(identifier, ImageVariant(.png(), scale: scale))
    }
}

extension [DrawingWarning] {
    /// A picture with these warnings may be cached.
    var areLasting: Bool { allSatisfy(\.code.isLasting) }
}
