/// How a request is treated, beside what is drawn.
public struct RenderOptions: Sendable, Hashable {
    /// Can be changed while the request waits: `RenderTask.setPriority`.
    public var priority: RenderPriority
    /// True: the request may start while the renderer is suspended, where the renderer allows that. Default false. It does
    /// not go before others otherwise; `priority` says that.
    public var isImmediate: Bool
    /// A name that the host gives to requests which it may want to cancel together: a list's, a window's. Default nil.
    public var group: String?
    /// False: the picture is drawn even if it is kept from before. Default true.
    public var usesCache: Bool
    /// False: the picture is not kept for later. Default true.
    public var storesResult: Bool

    public init(
        priority: RenderPriority = .normal, isImmediate: Bool = false, group: String? = nil, usesCache: Bool = true,
        storesResult: Bool = true
    ) {
        self.priority = priority
        self.isImmediate = isImmediate
        self.group = group
        self.usesCache = usesCache
        self.storesResult = storesResult
    }
}
