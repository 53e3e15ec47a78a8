import Offstage

extension Snippet {
    /// The same document for the same reader from the same folder, to be treated in the same way.
    public struct CoalescingKey: Hashable, Sendable {
        let fingerprint: Fingerprint
        let folder: BaseFolder?
        let timeout: Double
        let limits: SnippetLimits
        let requiresComplete: Bool
        let formatLimit: FormatLimit?
    }

    /// Nil, the snippet is drawn for itself, where its files come from a provider that cannot be compared.
    public var coalescingKey: CoalescingKey? {
        let folder = base as? BaseFolder
        if base != nil, folder == nil { return nil }
        var builder = Fingerprint.Builder()
        add(to: &builder)
        return CoalescingKey(
            fingerprint: builder.build(), folder: folder, timeout: timeout, limits: limits,
            requiresComplete: requiresComplete,
            formatLimit: geometry.formatLimit)
    }
}
