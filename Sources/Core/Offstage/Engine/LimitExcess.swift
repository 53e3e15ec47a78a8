/// A limit that a drawing exceeded.
public struct LimitExcess: Sendable, Hashable, Codable {
    /// The name of a limit, and of the command line's option.
    public enum Limit: String, Sendable, Hashable, CaseIterable, Codable {
        /// The document's bytes.
        case inputBytes = "max-input-bytes"
        /// The number of elements in the loaded document.
        case elements = "max-elements"
        /// The pixels of the document's images after decoding.
        case imagePixels = "max-image-pixels"
        /// The scans of a progressive JPEG file.
        case jpegScans = "max-jpeg-scans"
        /// The bytes of memory that belong only to the drawing process.
        case memory = "max-memory"
        /// The processor time that the drawing process used for this document, in seconds.
        case processorSeconds = "max-cpu"
    }

    public var limit: Limit
    public var allowed: Int
    /// A lower bound: measuring may have stopped here.
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
            case .jpegScans: "the JPEG file has at least \(measured) scans"
            // A worker whose memory is limited can only report that it needs more.
            case .memory where measured <= allowed: "drawing it would take more memory"
            case .processorSeconds where measured <= allowed: "drawing it would take longer"
            case .memory: "drawing it took \(measured) bytes of memory"
            case .processorSeconds: "drawing it took \(measured) s of processor time"
            }
        return "\(what), but the limit \(limit.rawValue) is \(allowed); make it smaller or raise the limit"
    }
}
