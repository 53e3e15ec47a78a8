import Foundation

/// The environment of a store. Tests pass their own.
package struct StoreSurroundings: Sendable {
    package var now: @Sendable () -> Date = { Date() }
    /// The free bytes that this account may use on the disk with this folder; nil if unknown.
    package var freeBytes: @Sendable (_ folder: String) -> Int? = { folder in
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return nil }
        return Int(info.f_bavail) * Int(info.f_frsize)
    }
    /// The size of the disk with this folder; nil if unknown.
    package var diskBytes: @Sendable (_ folder: String) -> Int? = { folder in
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return nil }
        return Int(info.f_blocks) * Int(info.f_frsize)
    }
    /// The maximum time to wait for other processes, seconds.
    package var patience = 5.0
    /// Seconds. A use within this time of the last one is not recorded, so that a hit writes nothing.
    package var useResolution = 60.0
    /// The time until recorded uses are written, seconds.
    package var useDelay = 5.0

    package init() {}
}
