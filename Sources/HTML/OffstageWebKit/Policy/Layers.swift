/// The layers between a document and the network. Tests switch some off to check that the others work without them.
///
/// Each layer alone guarantees what SECURITY.md promises for it. With all layers in force, no test would notice that
/// one has become ineffective. The switch has package access, so no option, variable or library call can set it. The
/// network namespace has its own switch, `NetworkNamespace.isWanted`.
package enum Layer: String, CaseIterable, Sendable {
    case contentPolicy, contentFilter, navigationPolicy, proxy, features

    /// The layers that are not in force. Set it before the first engine starts. Default: none.
    @MainActor package static var off: Set<Layer> = []

    @MainActor var isOn: Bool { !Self.off.contains(self) }
}
