import Offstage

extension WebEngine {
    public nonisolated func fingerprint(of snippet: Snippet) -> Fingerprint? {
        if !allowedHosts.hosts.isEmpty { return nil }
        var builder = Fingerprint.Builder()
        snippet.add(to: &builder)
        Machine.add(to: &builder, for: snippet.medium)
        return builder.build()
    }

    public nonisolated func digest(of path: String, for snippet: Snippet) async -> Digest? {
        await snippet.base?.digest(at: path)
    }
}
