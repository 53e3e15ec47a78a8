/// A request without a picture, and the reason.
public struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    public var identifier: String
    public var reason: DrawingError

    public init(identifier: String, reason: DrawingError) {
        self.identifier = identifier
        self.reason = reason
    }

    public var description: String { "\(identifier): \(reason)" }
}
