/// More of something than a drawing may take.
public struct LimitExcess: Sendable, Hashable {
    /// A limit's name; the command line's options are called the same.
    public enum Limit: String, Sendable, Hashable, CaseIterable {
        /// The document's bytes.
        case inputBytes = "max-input-bytes"
        /// How many elements the document has once it is loaded.
        case elements = "max-elements"
        /// Pixels of the images that the document shows, once they are decoded.
        case imagePixels = "max-image-pixels"
        /// Bytes of memory that the process that draws has for itself.
        case memory = "max-memory"
    }

    public var limit: Limit
    public var allowed: Int
    /// At least so much there was.
    public var measured: Int

    public init(_ limit: Limit, allowed: Int, measured: Int) {
        self.limit = limit
        self.allowed = allowed
        self.measured = measured
    }
}

extension LimitExcess: CustomStringConvertible {
    public var description: String {
        let what =
            switch limit {
            case .inputBytes: "the document has \(measured) bytes"
            case .elements: "the document has \(measured) elements"
            case .imagePixels: "the document's images have \(measured) pixels"
            case .memory: "drawing it took \(measured) bytes of memory"
            }
        return "\(what), the limit \(limit.rawValue) is \(allowed); make it smaller or raise the limit"
    }
}
