/// A layer of a document, which viewers can show and hide: the standard's optional content group.
public struct PageLayer: Sendable, Hashable {
    /// Untrusted; at most 200 bytes. Several layers of a document can have the same name.
    public var name: String
    /// In `DocumentInfo`, the initial state in viewers. In a request, the state to draw.
    public var isVisible: Bool

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - name: the name in the document.
    ///   - isVisible: true to show it. Default true.
    public init(_ name: String, isVisible: Bool = true) { (self.name, self.isVisible) = (name, isVisible) }
}

extension [PageLayer] {
    /// The same bytes for equivalent requests: each name once, with its last state, in order.
    var wire: [UInt8] {
        var states: [String: Bool] = [:]
        for layer in self { states[layer.name] = layer.isVisible }
        var bytes: [UInt8] = []
        for (name, isVisible) in states.sorted(by: { $0.key < $1.key }) {
            bytes += [UInt8]("\(isVisible ? "+" : "-")\(name)".utf8) + [0]
        }
        return bytes
    }
}
