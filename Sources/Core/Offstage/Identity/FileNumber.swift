import Foundation

/// Identifies a file independently of its names.
package struct FileNumber: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// - Returns: nil if the file does not exist.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (device, number) = (info.st_dev, info.st_ino)
    }
}
