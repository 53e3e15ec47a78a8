import Foundation

/// How much an `ImageCache` may hold.
public struct ImageCacheLimits: Sendable, Hashable {
    /// Bytes of all values together. One value may take a tenth of it at most; a larger one is not kept.
    public var bytes: Int
    /// How many values; nil, the default, for any number.
    public var count: Int?

    /// - Parameters:
    ///   - bytes: default a tenth of the machine's memory, at most 512 MiB.
    ///   - count: values; default any number.
    public init(bytes: Int = Self.defaultBytes, count: Int? = nil) {
        self.bytes = max(0, bytes)
        self.count = count.map { max(0, $0) }
    }

    /// A tenth of the machine's memory, at most 512 MiB.
    public static var defaultBytes: Int {
        Int(min(ProcessInfo.processInfo.physicalMemory / 10, 512 << 20))
    }

    /// Bytes that one value may take.
    var largest: Int { bytes / 10 }
}

/// Why a value left an `ImageCache`.
public enum EvictionReason: Sendable, Hashable {
    /// The limits, a newer value needed its room.
    case limit
    /// It alone is over a tenth of the limit.
    case tooLarge
    /// Memory is short: `trimMemory`.
    case pressure
}
