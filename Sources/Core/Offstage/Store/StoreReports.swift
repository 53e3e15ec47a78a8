import Foundation

/// The size of a store.
public struct StoreStatistics: Sendable, Hashable, Codable {
    /// The number of keys.
    public var pictures = 0
    /// The number of different contents; fewer than pictures if some pictures are equal.
    public var contents = 0
    /// The bytes of all contents.
    public var contentBytes = 0
    /// The pictures that are never removed because clients of a service stored them with PUT; all keys count.
    public var pinned = 0
    /// The bytes of their contents.
    public var pinnedBytes = 0
    /// Bytes on the disk, including free pages and the log.
    public var diskBytes = 0
    /// The last use of the picture that would be removed first, and of the one that would be removed last; nil in a
    /// store without such pictures.
    public var oldestUse: Date?
    public var latestUse: Date?
    /// Counts events in this process.
    public var counters = StoreCounters()

    /// The statistics of a store that does not exist.
    package static let none = Self()
}

/// The result of `verify`.
public struct StoreVerification: Sendable, Hashable {
    /// The number of pictures that were read and compared.
    public var checked = 0
    /// Pictures that differed from what was stored; they have been removed.
    public var damaged: [PictureKey] = []
    /// The number of contents that belonged to no picture; they have been removed.
    public var unused = 0
    /// SQLite's errors in the database, which has then been put aside.
    public var databaseErrors: [String] = []

    /// The statistics of a store that does not exist.
    package static let none = Self()

    public var isWhole: Bool { damaged.isEmpty && databaseErrors.isEmpty }
}

/// The reason why a request would be a hit or a miss.
public enum CacheExplanation: Sendable, Hashable {
    /// The store cannot be used; an event gave the reason.
    case unavailable
    /// The store has no picture with this key.
    case absent
    /// The request would be answered from the store.
    case hit(PictureRecord)
    /// The stored picture with this key is out of date.
    case stale(PictureRecord, Staleness)
}
