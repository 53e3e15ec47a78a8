import Foundation

/// A picture's file in memory, for a service that returns the same file again and again.
public struct CachedFile: Sendable {
    let fingerprint: Digest
    let dependencies: [Dependency]
    let warnings: [DrawingWarning]
    let content: PictureContent?
    /// Device px.
    let size: PixelSize
    let scale: Double
    let pages: Int?
    let data: Data
    /// The digest of the bytes.
    let digest: Digest

    /// The number of bytes that it takes, for the limit of a `MemoryCache`.
    public var byteCount: Int { data.count + (content?.byteCount ?? 0) + 512 }

    /// A cache of such files. The least recently used ones are evicted first.
    public static func cache(limits: MemoryCacheLimits = MemoryCacheLimits()) -> MemoryCache<CachedFile> {
        MemoryCache(limits: limits) { $0.byteCount }
    }

    init(
        _ file: RenderedFiles.File, data: Data, fingerprint: Digest, dependencies: [Dependency],
        warnings: [DrawingWarning], content: PictureContent?
    ) {
        self.fingerprint = fingerprint
        self.dependencies = dependencies
        self.warnings = warnings
        self.content = content
        (size, scale, pages, self.data, digest) = (file.size, file.scale, file.pages, data, file.content)
    }
}

extension RenderedFiles {
    init(_ kept: [CachedFile]) {
        self.init(
            part: nil, scale: kept[0].scale, warnings: kept[0].warnings, content: kept[0].content, isCached: true,
            duration: .zero,
            files: kept.map { one in
                File(
                    size: one.size, scale: one.scale, byteCount: one.data.count, pages: one.pages, content: one.digest,
                    dataAtOnce: one.data
                ) { one.data }
            })
    }
}
