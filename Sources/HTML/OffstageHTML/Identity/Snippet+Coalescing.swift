import Offstage

extension Snippet {
    /// Equal for snippets with the same document, emulated reader, folder, limits and other settings of the drawing.
    public struct CoalescingKey: Hashable, Sendable {
        let fingerprint: Fingerprint
        let folder: BaseFolder?
        let timeout: Double
        let limits: SnippetLimits
        let requiresComplete: Bool
        let formatLimit: FormatLimit?
    }

    /// Nil if the snippet's files come from a provider that cannot be compared. Such a snippet is drawn separately.
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
