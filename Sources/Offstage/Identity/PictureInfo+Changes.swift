/// Why a kept picture is not the one that is asked for.
public struct Staleness: Sendable, Hashable, Codable {
    /// Parts of the fingerprint that differ: `changed`, `added` to the request, or `removed` from it.
    public var parts: [Fingerprint.Change]
    /// Files that the drawing used, by path: `changed`, `added` where one was missing, `removed` where one is missing now.
    public var files: [Fingerprint.Change]

    /// True where nothing differs: the picture is still right.
    public var isEmpty: Bool { parts.isEmpty && files.isEmpty }
}

extension PictureInfo {
    /// What is different now.
    ///
    /// - Parameters:
    ///   - fingerprint: of the picture that is asked for.
    ///   - digest: of the file with a path that the drawing used, as it is now; nil where it is missing.
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

    /// True where the picture is what a drawing would give now.
    public func isCurrent(for fingerprint: Fingerprint, file digest: (_ path: String) -> Digest?) -> Bool {
        self.fingerprint == fingerprint && dependencies.allSatisfy { digest($0.path) == $0.digest }
    }
}
