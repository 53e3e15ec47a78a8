/// Options for handling a request. They do not change the picture.
public struct RenderOptions: Sendable, Hashable {
    /// `RenderTask.setPriority` changes it while the request waits.
    public var priority: RenderPriority
    /// True: the request may start while the renderer is suspended, if the renderer allows that. It does not overtake
    /// others: use `priority` for that. Default false.
    public var isImmediate: Bool
    /// A name for requests that the host cancels together, such as those of a list or a window. Default nil.
    public var group: String?
    /// The client, if several share a renderer. Within a priority, clients take turns. Default nil; all requests
    /// without a client count as one client.
    public var client: RenderClient?
    /// False: the picture is drawn even if it is cached. Default true.
    public var usesCache: Bool
    /// False: the picture is not cached. Default true.
    public var storesResult: Bool
    /// True: `updates(for:)` begins with the cached picture of an older state of the source, as `.stale`, while the new one is
    /// drawn. Default false: an outdated picture is not shown. It has no effect if `usesCache` is false, and only affects
    /// `updates(for:)`.
    public var showsStale: Bool
    /// A box in device px, at least 1 × 1. A thumbnail that fits into it is made from the new picture, and cached for
    /// `updates(for:)` and `thumbnail(for:fittingInto:)`. Nil, the default, for none.
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
