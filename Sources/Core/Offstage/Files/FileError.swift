import Foundation

/// An error with a file or folder.
public struct FileError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path as the caller gave it.
    public var path: String
    /// The attempted action: `read`, `write`, `create`.
    public var action: String
    /// The system's error, an `errno`.
    public var code: Int32

    public init(_ action: String, path: String, code: Int32) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// True if the disk is full or the user's quota is used up.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    public var description: String {
        // `PlainFile` reports EINVAL for a pipe or a device. The system's text, "Invalid argument", would not help.
        let reason = code == EINVAL ? "it is not a regular file" : String(cString: strerror(code))
        return "cannot \(action) \(path): \(reason)" + (remedy.map { "; \($0)" } ?? "")
    }

    /// A remedy, if the reason does not imply it.
    private var remedy: String? {
        let isRead = action == "read"
        return switch code {
        case ENOSPC, EDQUOT: "free some space or choose another disk"
        case EFBIG: "raise `ulimit -f`"
        case EACCES, EPERM, EROFS: isRead ? "get permission to read it" : "choose another path"
        case EISDIR, ENOTDIR: isRead ? "name a file" : "choose another name"
        default: nil
        }
    }
}
