/// The reasons why a cached picture does not match a request.
public struct Staleness: Sendable, Hashable, Codable {
    /// The parts of the fingerprint that differ: `changed`, `added` to the request, or `removed` from it.
    public var parts: [Fingerprint.Change]
    /// The files that the drawing used, by path: `changed`; `added` if the file was missing before; `removed` if it is
    /// missing now.
    public var files: [Fingerprint.Change]

    /// True if nothing differs: the picture is up to date.
    public var isEmpty: Bool { parts.isEmpty && files.isEmpty }
}

extension PictureInfo {
    /// Compares the picture with a request and with the current files.
    ///
    /// - Parameters:
    ///   - fingerprint: the fingerprint of the requested picture.
    ///   - digest: the current digest of a file that the drawing used; nil if it is missing.
    public func staleness(
        against fingerprint: Fingerprint, file digest: (_ path: String) -> Digest?
    ) -> Staleness {
        let files = dependencies.compactMap { one -> Fingerprint.Change? in
            let now = digest(one.path)
            if now == one.digest { return nil }
            let kind: Fingerprint.Change.Kind = one.digest == nil ? .added : now == nil ? .removed : .changed
            return Fingerprint.Change(name: one.path, kind: kind)
        }
        return Staleness(parts: self.fingerprint.changes(to: fingerprint), files: files)
    }

    /// True if drawing it now would give the same picture.
    public func isCurrent(for fingerprint: Fingerprint, file digest: (_ path: String) -> Digest?) -> Bool {
        self.fingerprint == fingerprint && dependencies.allSatisfy { digest($0.path) == $0.digest }
    }
}
