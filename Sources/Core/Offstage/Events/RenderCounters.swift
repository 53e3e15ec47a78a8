/// The number of events of each kind since the renderer was made.
public struct RenderCounters: Sendable, Hashable {
    public var submitted = 0
    public var joined = 0
    public var started = 0
    public var drawn = 0
    public var encoded = 0
    public var stored = 0
    public var hitsInMemory = 0
    public var hitsOnDisk = 0
    public var cancelled = 0
    public var failed = 0
    public var evicted = 0
    public var withdrawn = 0

    public init() {}

    mutating func count(_ kind: RenderEvent.Kind) {
        switch kind {
        case .submitted: submitted += 1
        case .joined: joined += 1
        case .started: started += 1
        case .drawn: drawn += 1
        case .encoded: encoded += 1
        case .stored: stored += 1
        case .hitInMemory: hitsInMemory += 1
        case .hitOnDisk: hitsOnDisk += 1
        case .cancelled: cancelled += 1
        case .failed: failed += 1
        case .evicted: evicted += 1
        case .withdrawn: withdrawn += 1
        }
    }
}
