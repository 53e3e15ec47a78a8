import Foundation

/// The maximum size and age of a `PictureStore`. The least recently used pictures are removed first.
public struct StoreLimits: Sendable, Hashable {
    /// Bytes on the disk; default 2 GiB. One picture may take at most a tenth of it. Pinned pictures count, but are
    /// never removed: a new picture that does not fit beside them is not stored.
    public var bytes: Int
    /// Seconds since the last use of a picture that is not pinned; nil for any time. Default 90 days.
    public var age: Double?
    /// Bytes to leave free on the disk: if fewer are free, the store shrinks. Nil, the default, means 512 MiB, but at
    /// most a tenth of the disk.
    public var freeBytes: Int?

    public init(bytes: Int = 2 << 30, age: Double? = 90 * 86400, freeBytes: Int? = nil) {
        self.bytes = max(0, bytes)
        self.age = age
        self.freeBytes = freeBytes.map { max(0, $0) }
    }

    var largest: Int { bytes / 10 }
}
