import Foundation

/// The thumbnails of one drawing's pictures in memory: compressed, about 1 KB each, so that the thumbnails of all rows
/// of a list fit. Decoding one takes a fraction of a millisecond.
struct CachedThumbnails: Sendable {
    let fingerprint: Fingerprint
    /// One, or one for each part.
    private let pictures: [StoredPicture]

    init(_ fingerprint: Fingerprint, _ pictures: [StoredPicture]) {
        self.fingerprint = fingerprint
        self.pictures = pictures.map { picture in
            var picture = picture
            // Leave out areas and text, which would take more memory than the pixels: the picture itself has them.
            picture.info.content = nil
            return picture
        }
    }

    /// Decodes them. Nil if one is damaged.
    func decoded(for identifier: String) -> [RenderedPicture]? {
        let start = ContinuousClock.now
        var images: [RenderedPicture] = []
        for (index, picture) in pictures.enumerated() {
            guard let pixmap = picture.pixmap else { return nil }
            var image = RenderedPicture(
                identifier: identifier, part: picture.info.partCount == nil ? nil : index + 1, pixmap: pixmap,
                picture.info,
                duration: start.duration(to: .now))
            image.origin = .memory
            images.append(image)
        }
        return images
    }

    /// The files that the drawing read.
    var dependencies: [Dependency] { pictures[0].info.dependencies }

    /// The bytes of the files, plus an estimate for the rest.
    private var byteCount: Int { pictures.reduce(200) { $0 + $1.data.count + 64 * $1.info.dependencies.count } }

    /// A cache of thumbnails. The least recently used ones are evicted first. Nil if it may not take any memory.
    static func cache(bytes: Int) -> MemoryCache<CachedThumbnails>? {
        bytes > 0 ? MemoryCache(limits: MemoryCacheLimits(bytes: bytes)) { $0.byteCount } : nil
    }
}
