/// A local file that a drawing used, or would have used had it been there.
public struct Dependency: Sendable, Hashable, Codable {
    /// As it was asked for; the caller knows which folder it starts at. Without a NUL character.
    public var path: String
    /// Of the file's content; nil for a file that was missing.
    public var digest: Digest?

    public init(path: String, digest: Digest?) {
        self.path = path
        self.digest = digest
    }
}
