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

/// What a store has of the world around it: tests bring their own.
struct StoreSurroundings: Sendable {
    var now: @Sendable () -> Date = { Date() }
    /// Bytes that the disk with this folder has for us; nil where that is not known.
    var freeBytes: @Sendable (_ folder: String) -> Int? = { folder in
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return nil }
        return Int(info.f_bavail) * Int(info.f_frsize)
    }
    /// Seconds to wait for other processes.
    var patience = 5.0
    /// Seconds: a picture that was used so short a time ago is not noted as used again, so that a hit writes nothing.
    var useResolution = 60.0
    /// Seconds until what was used is written down.
    var useDelay = 5.0
}
