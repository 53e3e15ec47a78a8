import Foundation

/// What is in a store.
public struct StoreStatistics: Sendable, Hashable, Codable {
    /// Kept under a key each.
    public var pictures = 0
    /// Different contents; fewer than pictures where some are equal.
    public var contents = 0
    /// Bytes of all contents.
    public var contentBytes = 0
    /// Bytes that the store takes on the disk, free pages and the log included.
    public var diskBytes = 0
    /// When the picture that would go first was used, and the one that would go last; nil in an empty store.
    public var oldestUse: Date?
    public var latestUse: Date?
    /// In this process.
    public var counters = StoreCounters()

    /// Of a store that is not there.
    package static let none = Self()
}

/// What `verify` found.
public struct StoreVerification: Sendable, Hashable {
    /// Pictures that were read and compared.
    public var checked = 0
    /// Those that were not what had been stored; they are removed.
    public var damaged: [PictureKey] = []
    /// Contents that no picture has; they are removed.
    public var unused = 0
    /// What SQLite found wrong with the database, which is put aside then.
    public var databaseErrors: [String] = []

    /// Of a store that is not there.
    package static let none = Self()

    public var isWhole: Bool { damaged.isEmpty && databaseErrors.isEmpty }
}

/// Why a request would be a hit or not.
public enum CacheExplanation: Sendable, Hashable {
    /// The store cannot be used; an event said why.
    case unavailable
    /// Nothing is kept under this key.
    case absent
    /// It would be answered from the store.
    case hit(PictureRecord)
    /// Something else was drawn under this key.
    case stale(PictureRecord, Staleness)
}
