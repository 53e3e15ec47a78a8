import Foundation

/// A file or folder that could not be used.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// As the caller named it.
    public var path: String
    /// What was to be done with it: `read`, `write`, `create`.
    public var action: String
    /// The system's reason, an `errno`.
    public var code: Int32

    public init(_ action: String, path: String, code: Int32) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The disk is full, or the user's quota is used up.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    public var description: String {
        // What `PlainFile` says of a pipe or a device; the system's "Invalid argument" would help nobody.
        let reason = code == EINVAL ? "it is not a plain file" : String(cString: strerror(code))
        return "cannot \(action) \(path): \(reason)" + (remedy.map { "; \($0)" } ?? "")
    }

    /// What to do about it, where the reason does not say it.
    private var remedy: String? {
        let isRead = action == "read"
        return switch code {
        case ENOSPC, EDQUOT: "free some space or choose another place"
        case EFBIG: "raise `ulimit -f`"
        case EACCES, EPERM, EROFS: isRead ? "get the permission to read it" : "choose another place"
        case EISDIR, ENOTDIR: isRead ? "name a file" : "choose another name"
        default: nil
        }
    }
}
