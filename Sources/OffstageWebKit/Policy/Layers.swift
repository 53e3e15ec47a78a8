/// The layers between a document and the network that a test can switch off, to see that the others hold without them.
///
/// Each of them is enough for what SECURITY.md says of it. With all of them in force, no test would notice that one has become
/// ineffective. The switch has package access: no option, variable or library call reaches it. The network namespace has a switch of
/// its own, `NetworkNamespace.isWanted`.
package enum Layer: String, CaseIterable, Sendable {
    case contentPolicy, contentFilter, navigationPolicy, proxy, features

    /// The layers that are not in force. Set it before the first engine starts. Default: none.
    @MainActor package static var off: Set<Layer> = []

    @MainActor var isOn: Bool { !Self.off.contains(self) }
}
