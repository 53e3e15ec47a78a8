/// The caches and limits of a renderer.
public struct RendererConfiguration: Sendable {
    /// The number of drawings at once, of all engines together: 1 or more. Nil, the default, uses the largest capacity of an
    /// engine.
    public var width: Int?
    /// The number of drawings that may wait, in addition to those that run: 0 or more. Nil, the default, allows any
    /// number. If there is one more, a request of the lowest waiting priority fails with `.queueFull`: the oldest one
    /// of the client with the most waiting drawings relative to its share. The new request itself fails if its priority
    /// is even lower, or if no other drawing waits.
    public var maximumWaiting: Int?
    /// True, the default: immediate requests are drawn even while the renderer is suspended.
    public var allowsImmediate = true
    /// Provides `updates(for:)` with thumbnails that are not in the cache. Nil, the default, for none.
    public var thumbnails: (any ThumbnailProviding)?
    /// The memory cache of decoded pictures, by identifier (`CachedPictures.cache()`). Nil, the default, for none.
    public var memory: MemoryCache<CachedPictures>?
    /// The limit of thumbnails in memory, bytes; 0 for none. Together with `memory` or a `store`, the renderer keeps the
    /// thumbnails of `RenderOptions.thumbnail` compressed, about 1 KB each. Default 32 MiB, which is enough for about 30,000.
    public var thumbnailBytes = 32 << 20
    /// The memory cache of files (`CachedFile.cache()`), for a service. It is used only together with a `store`. Nil, the default,
    /// for none.
    public var files: MemoryCache<CachedFile>?
    /// True, the default: if the machine or the program's control group runs short of memory, `memory` and `files` shrink to half
    /// of their limits, and to a tenth if memory is nearly exhausted. This needs a thread, which sleeps. It has no effect if Linux
    /// does not report memory pressure.
    public var heedsMemoryPressure = true
    /// The store of pictures on disk, which outlives the program. Nil, the default, for none.
    public var store: PictureStore?
    /// The pictures that other machines share with this one. They are used only together with a `store`. Nil, the default, for none.
    package var shared: (any SharedShelf)?
    /// Measures suspensions. Tests use another clock.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Limits the memory of files that are being made, in bytes. Further files wait, except for a few.
    package var workLimit = 16 << 20
    /// Reports memory pressure instead of the system, in tests.
    package var pressure: AsyncStream<MemoryPressure.Level>?

    public init() {}
}
