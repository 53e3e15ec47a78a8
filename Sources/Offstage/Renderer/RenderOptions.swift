/// How a request is treated, beside what is drawn.
public struct RenderOptions: Sendable, Hashable {
    /// Can be changed while the request waits: `RenderTask.setPriority`.
    public var priority: RenderPriority
    /// True: the request may start while the renderer is suspended, where the renderer allows that. Default false. It does
    /// not go before others otherwise; `priority` says that.
    public var isImmediate: Bool
    /// A name that the host gives to requests which it may want to cancel together: a list's, a window's. Default nil.
    public var group: String?
    /// Who asks, where several clients share a renderer: within a priority they take turns. Default nil; all requests without a
    /// client count as one client's.
    public var client: RenderClient?
    /// False: the picture is drawn even if it is kept from before. Default true.
    public var usesCache: Bool
    /// False: the picture is not kept for later. Default true.
    public var storesResult: Bool
    /// True: `updates(for:)` begins with what is kept under the identifier from an older state of the source, as `.stale`, while
    /// the picture is drawn. Default false: what is not right any more is not shown. Without effect where `usesCache` is
    /// false, and on everything but `updates(for:)`.
    public var showsStale: Bool
    /// Device px, at least 1 × 1: a thumbnail that fits into this box is made of the picture once it is drawn, and kept beside
    /// it for `updates(for:)` and `thumbnail(for:fittingInto:)`. Nil, the default, for none.
    public var thumbnail: PixelSize?

    public init(
        priority: RenderPriority = .normal, isImmediate: Bool = false, group: String? = nil,
        client: RenderClient? = nil, usesCache: Bool = true, storesResult: Bool = true, showsStale: Bool = false,
        thumbnail: PixelSize? = nil
    ) {
        self.priority = priority
        self.isImmediate = isImmediate
        self.group = group
        self.client = client
        self.usesCache = usesCache
        self.storesResult = storesResult
        self.showsStale = showsStale
        self.thumbnail = thumbnail
    }
}
