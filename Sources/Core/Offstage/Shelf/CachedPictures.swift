/// The pictures of one drawing in memory: decoded, ready to paint.
public struct CachedPictures: Sendable {
    let fingerprint: Fingerprint
    /// One, or one for each part.
    public let images: [RenderedPicture]

    /// The bytes of the pixels and the content, which `MemoryCache` counts.
    public var byteCount: Int {
        images.reduce(0) { $0 + $1.pixmap.byteCount + ($1.content?.byteCount ?? 0) }
    }

    /// A cache of such pictures. The least recently used ones are evicted first.
    public static func cache(limits: MemoryCacheLimits = MemoryCacheLimits()) -> MemoryCache<CachedPictures> {
        MemoryCache(limits: limits) { $0.byteCount }
    }
}

extension FileVariant {
    /// The lossless file in which a renderer stores a picture's pixels. `files(for:as:)` stores the same file under the same name, so
    /// each finds the other's.
    static func pixels(of request: some DrawingRequest) -> FileVariant {
        FileVariant(.png(), scale: request.scale)
    }

    /// The small file in which a renderer keeps a thumbnail, in memory and in the store: a tenth of a PNG's bytes.
    static func thumbnail(of request: some DrawingRequest, _ box: PixelSize) -> FileVariant {
        thumbnail(box, scale: request.scale)
    }

    static func thumbnail(_ box: PixelSize, scale: Double) -> FileVariant {
        FileVariant(.webp(WebPEncoder(compression: .quality(70))), fittingInto: box, scale: scale)
    }

    /// The variant of the whole picture from which thumbnails are made.
    var whole: FileVariant { FileVariant(.png(), scale: scale) }
}

extension PictureKey {
    init(_ identifier: String, _ variant: FileVariant, part: Int? = nil) {
        self.init(identifier, variant: variant.name, part: part)
    }

    /// The key of a drawing's pixels.
    ///
    /// - Parameter identifier: the identifier under which they are cached; nil for the request's own identifier.
    static func pixels(of request: some DrawingRequest, _ identifier: String? = nil) -> PictureKey {
        pixels(of: identifier ?? request.identifier, scale: request.scale)
    }

    package static func pixels(of identifier: String, scale: Double = 1) -> PictureKey {
        PictureKey(identifier, FileVariant(.png(), scale: scale))
    }
}

extension [DrawingWarning] {
    /// True if a picture with these warnings may be cached.
    var areLasting: Bool { allSatisfy(\.code.isLasting) }
}
