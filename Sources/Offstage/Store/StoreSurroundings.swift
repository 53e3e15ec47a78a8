import Foundation

/// What a store has of the world around it: tests bring their own.
package struct StoreSurroundings: Sendable {
    package var now: @Sendable () -> Date = { Date() }
    /// Bytes that the disk with this folder has for us; nil where that is not known.
    package var freeBytes: @Sendable (_ folder: String) -> Int? = { folder in
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else { return nil }
        return Int(info.f_bavail) * Int(info.f_frsize)
    }
    /// Seconds to wait for other processes.
    package var patience = 5.0
    /// Seconds: a picture that was used so short a time ago is not noted as used again, so that a hit writes nothing.
    package var useResolution = 60.0
    /// Seconds until what was used is written down.
    package var useDelay = 5.0

    package init() {}
}
