/// Why a store is not, or not wholly, of use. Drawing goes on without it.
public struct StoreWarning: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// The store cannot be opened or used: it behaves as an empty one from here on.
        case unavailable
        /// A newer version of the program made it: left alone, and gone without.
        case newerSchema
        /// The database was damaged: it is kept under another name, and a new one begun.
        case putAside
        /// There is no room on the disk: what does not fit is not kept.
        case full
    }

    public var kind: Kind
    /// The folder or file.
    public var path: String
    /// A sentence's end, without its full stop.
    public var reason: String

    public var description: String {
        switch kind {
        case .unavailable, .newerSchema: "the cache \(path) is not used: \(reason)"
        case .putAside: "the cache was damaged (\(reason)) and is begun anew; the old one is \(path)"
        case .full: "the cache \(path) keeps nothing more: \(reason)"
        }
    }
}

/// What a store tells beside its answers.
public enum StoreEvent: Sendable, Hashable {
    /// Once for each kind in a store's life.
    case warning(StoreWarning)
    /// A picture was not what had been stored: it counts as a miss, and is removed.
    case damaged(PictureKey)
    /// A picture was removed for the limits, the least recently used first.
    case evicted(PictureKey)
    /// A picture was not kept: no room, larger than a tenth of the limit, or another process held the lock too long.
    case dropped(PictureKey)
}

/// How often what happened in a store's life, in this process.
public struct StoreCounters: Sendable, Hashable, Codable {
    public var hits = 0
    public var misses = 0
    public var stored = 0
    public var damaged = 0
    public var evicted = 0
    public var dropped = 0
}
