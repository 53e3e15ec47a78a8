/// Why a request got no picture, and which one.
public struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    public var identifier: String
    public var reason: DrawingError

    public init(identifier: String, reason: DrawingError) {
        self.identifier = identifier
        self.reason = reason
    }

    public var description: String { "\(identifier): \(reason)" }
}
