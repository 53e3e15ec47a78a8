/// Counters of a node, for metrics.
public struct SharedCounters: Sendable, Hashable {
    /// Lookups of other machines' pictures.
    public var looks = 0
    /// Lookups that found a picture.
    public var hits = 0
    /// Requests that another machine drew while they waited.
    public var joined = 0
    /// Jobs of other nodes and clients that this node claimed.
    public var claimed = 0
    /// Claims that found no job.
    public var emptyClaims = 0
    /// Requests submitted for other machines to draw.
    public var submitted = 0
    /// Jobs taken over from silent nodes.
    public var takenOver = 0
    /// Drawings that were not shared, because they were too large or PostgreSQL was unavailable for too long.
    public var dropped = 0
    /// Drawings that differed from an earlier one with the same key. Must be 0.
    public var mismatches = 0
    /// Waiting jobs of the node's class, at the last heartbeat.
    public var waiting = 0
    /// Drawing nodes of the class, at the last heartbeat.
    public var liveNodes = 0
    /// Total time of lookups, in seconds.
    public var secondsLooked = 0.0
    /// False while PostgreSQL is unavailable.
    public var isWell = true

    public init() {}
}
