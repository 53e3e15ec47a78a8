/// A part of the source that the picture lacks, or a message from the source.
public struct DrawingWarning: Sendable, Hashable, Codable {
    public var code: Code
    /// The resource, font or element, named as in the source. For a data URI, only its media type.
    public var subject: String
    /// The cause, if the code does not explain everything: the end of a sentence, without its full stop.
    public var reason: String?

    public init(_ code: Code, _ subject: String, reason: String? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }
}

extension DrawingWarning: CustomStringConvertible {
    public var description: String {
        let text = code.phrase + subject
        guard let reason else { return text }
        return code.continuesWithReason ? "\(text); \(reason)" : "\(text) (\(reason))"
    }
}
