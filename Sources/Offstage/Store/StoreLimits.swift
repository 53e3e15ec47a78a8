import Foundation

/// The maximum size and age of an `PictureStore`. The least recently used pictures are removed first.
public struct StoreLimits: Sendable, Hashable {
    /// Bytes on the disk; default 2 GiB. One picture may take at most a tenth of it.
    public var bytes: Int
    /// Seconds since the last use of a picture; nil for any time. Default 90 days.
    public var age: Double?
    /// Bytes to leave free on the disk: if fewer are free, the store shrinks. Default 512 MiB.
    public var freeBytes: Int

    public init(bytes: Int = 2 << 30, age: Double? = 90 * 86400, freeBytes: Int = 512 << 20) {
        self.bytes = max(0, bytes)
        self.age = age
        self.freeBytes = max(0, freeBytes)
    }

    var largest: Int { bytes / 10 }
}
