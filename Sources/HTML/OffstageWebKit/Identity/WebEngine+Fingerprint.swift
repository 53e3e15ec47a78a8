import Offstage

extension WebEngine {
    public nonisolated func fingerprint(of snippet: Snippet) -> Fingerprint? {
        allowedHosts.hosts.isEmpty ? Machine.fingerprint(of: snippet) : nil
    }

    /// True if this machine would draw a picture of this fingerprint with the same engine and the same fonts. Only then
    /// can this machine use the picture from another machine's cache.
    public nonisolated static func agrees(with fingerprint: Fingerprint) -> Bool { Machine.agrees(with: fingerprint) }

    /// Identifies the engine and the fonts: 16 hexadecimal digits. Machines with the same digits can exchange caches.
    public nonisolated static var machineClass: String { Machine.identity }

    /// The parts of `machineClass`: names and digests.
    package nonisolated static var machineDetails: [(name: String, digest: String)] { Machine.details }

    public nonisolated func digest(of path: String, for snippet: Snippet) async -> Digest? {
        await snippet.base?.digest(at: path)
    }
}
