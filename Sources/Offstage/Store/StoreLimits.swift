import Foundation

/// How much an `ImageStore` may keep, and for how long. The least recently used go first.
public struct StoreLimits: Sendable, Hashable {
    /// Bytes on the disk; default 2 GiB. One picture may take a tenth of it at most.
    public var bytes: Int
    /// Seconds since a picture was used last; nil for any time, default 90 days.
    public var age: Double?
    /// Bytes on the disk that are left for others: where there are fewer, the store gives way. Default 512 MiB.
    public var freeBytes: Int

    public init(bytes: Int = 2 << 30, age: Double? = 90 * 86400, freeBytes: Int = 512 << 20) {
        self.bytes = max(0, bytes)
        self.age = age
        self.freeBytes = max(0, freeBytes)
    }

    var largest: Int { bytes / 10 }
}
