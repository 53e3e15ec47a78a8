import Foundation

/// The limits of a `MemoryCache`.
public struct MemoryCacheLimits: Sendable, Hashable {
    /// The maximum number of bytes of all values together. One value may take at most a tenth of it; the cache does not
    /// accept a larger one.
    public var bytes: Int
    /// The maximum number of values; nil, the default, for any number.
    public var count: Int?

    /// - Parameters:
    ///   - bytes: default a tenth of the machine's memory, at most 512 MiB.
    ///   - count: the maximum number of values; default any number.
    public init(bytes: Int = Self.defaultBytes, count: Int? = nil) {
        self.bytes = max(0, bytes)
        self.count = count.map { max(0, $0) }
    }

    /// A tenth of the machine's memory, at most 512 MiB.
    public static var defaultBytes: Int {
        Int(min(ProcessInfo.processInfo.physicalMemory / 10, 512 << 20))
    }

    /// The maximum number of bytes of one value.
    var largest: Int { bytes / 10 }
}

/// The reason why a value was evicted from a `MemoryCache`.
public enum EvictionReason: Sendable, Hashable {
    /// A newer value needed its space.
    case limit
    /// The value alone takes more than a tenth of the limit.
    case tooLarge
    /// Memory is short: see `trimMemory`.
    case pressure
}
