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

    public var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}
