/// A local file that a drawing used, or would have used if it had existed.
public struct Dependency: Sendable, Hashable, Codable {
    /// The path as it was requested, relative to a folder that the caller knows. Without a NUL character.
    public var path: String
    /// The digest of the file's content; nil if the file was missing.
    public var digest: Digest?

    public init(path: String, digest: Digest?) {
        self.path = path
        self.digest = digest
    }
}
