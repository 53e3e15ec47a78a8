/// The reason why a request has no picture, with the request's identifier.
public struct RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    public var identifier: String
    public var reason: DrawingError

    public init(identifier: String, reason: DrawingError) {
        self.identifier = identifier
        self.reason = reason
    }

    public var description: String { "\(identifier): \(reason)" }
}
