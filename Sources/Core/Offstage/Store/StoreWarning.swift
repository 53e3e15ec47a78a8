/// The reason why a store cannot be used, or only partly. Drawing continues without it.
public struct StoreWarning: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// The store cannot be opened or used: it behaves like an empty one from here on.
        case unavailable
        /// A newer version of the program made the store. It is not changed or used.
        case newerSchema
        /// The database was damaged: it was renamed, and a new one was created.
        case putAside
        /// The disk is full: pictures that do not fit are not stored.
        case full
    }

    public var kind: Kind
    /// The folder or file.
    public var path: String
    /// The end of a sentence, without its full stop.
    public var reason: String

    public var description: String {
        switch kind {
        case .unavailable, .newerSchema: "the cache \(path) is not used: \(reason)"
        case .putAside: "the cache was damaged (\(reason)), and a new one was started; the old one is \(path)"
        case .full: "the cache \(path) stores nothing more: \(reason)"
        }
    }
}

/// An event of a store.
public enum StoreEvent: Sendable, Hashable {
    /// A warning: at most once for each kind of warning in a store's life.
    case warning(StoreWarning)
    /// A picture differed from what was stored. It counts as a miss, and has been removed.
    case damaged(PictureKey)
    /// A picture was removed because of the limits, the least recently used first.
    case evicted(PictureKey)
    /// Pictures were removed because of the limits. At most once a minute: later removals are added up.
    case gaveWay(StoreEvictions)
    /// A picture was not stored: the disk is full, it exceeds a tenth of the limit, or another process held the lock
    /// for too long.
    case dropped(PictureKey)
}

/// The number of events of each kind in a store's life, in this process.
public struct StoreCounters: Sendable, Hashable, Codable {
    public var hits = 0
    public var misses = 0
    public var stored = 0
    public var damaged = 0
    public var evicted = 0
    /// The number of bytes removed with these pictures.
    public var evictedBytes = 0
    public var dropped = 0
}
