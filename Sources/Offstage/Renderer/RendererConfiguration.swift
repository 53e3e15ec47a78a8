/// How a renderer's queue behaves.
public struct RendererConfiguration: Sendable {
    /// How many drawings may be under way at once, of all engines together; 1 or more, or nil, the default, for the largest capacity
    /// of an engine.
    public var width: Int?
    /// How many drawings may wait, beside those that run; 0 or more, or nil, the default, for any number. When one more is asked
    /// for, one of the lowest priority fails with `.queueFull`: the oldest of the client with the most waiting drawings for its
    /// share. It is the new one if its priority is lower still, or nothing else waits.
    public var maximumWaiting: Int?
    /// True, the default: requests marked immediate are drawn while the renderer is suspended too.
    public var allowsImmediate = true
    /// Where `updates(for:)` finds a thumbnail to show first, if none is kept in memory or on disk; nil, the default, for
    /// nowhere else.
    public var thumbnails: (any ThumbnailProviding)?
    /// Pictures that are kept decoded, by identifier (`KeptImages.cache()`); nil, the default, for none.
    public var memory: ImageCache<KeptImages>?
    /// Files that were made of pictures (`KeptFile.cache()`), for a service; nil, the default, for none. They are kept in memory
    /// beside the `store`, not without one.
    public var files: ImageCache<KeptFile>?
    /// True, the default: when the machine or the program's control group runs short of memory, half of what `memory` and
    /// `files` may hold is let go of, and nine tenths when it is nearly gone. It takes a thread that sleeps; nothing happens where Linux
    /// tells nothing of its memory.
    public var heedsMemoryPressure = true
    /// Pictures that are kept on disk, over the end of the program; nil, the default, for none.
    public var store: ImageStore?
    /// Measures how long a suspension lasts; another clock is for tests.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Tells of short memory in place of the system; for tests.
    package var pressure: AsyncStream<MemoryPressure.Level>?

    public init() {}
}
