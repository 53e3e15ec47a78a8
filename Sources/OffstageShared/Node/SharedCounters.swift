/// Counters of a node, for metrics.
public struct SharedCounters: Sendable, Hashable {
    /// Looks for pictures of other machines.
    public var looks = 0
    /// The looks that have found one.
    public var hits = 0
    /// Requests that another machine has drawn while they waited.
    public var joined = 0
    /// Jobs of other nodes and clients that were claimed here.
    public var claimed = 0
    /// Attempts to claim that found nothing.
    public var emptyClaims = 0
    /// Requests that were submitted for other machines.
    public var submitted = 0
    /// Jobs that were taken from silent nodes.
    public var takenOver = 0
    /// Drawings that were not shared, because they were too large, or PostgreSQL was away for too long.
    public var dropped = 0
    /// Drawings that differed from an earlier one with the same key. It has to be 0.
    public var mismatches = 0
    /// Waiting jobs of the node's class, as of the last sign of life.
    public var waiting = 0
    /// Nodes of the class that draw, as of then.
    public var liveNodes = 0
    /// Seconds that looks took.
    public var secondsLooked = 0.0
    /// False while PostgreSQL cannot be used.
    public var isWell = true

    public init() {}
}
