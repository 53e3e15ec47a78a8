import Foundation

/// A file format with its options: one encoder of those there are.
public enum ImageFormat: ImageEncoder, Hashable {
    case png(PNGEncoder = PNGEncoder())
    case jpeg(JPEGEncoder = JPEGEncoder())
    case webp(WebPEncoder = WebPEncoder())
    case raw(RawEncoder = RawEncoder())

    /// Each with default options, in the order in which they are told.
    public static let all: [ImageFormat] = [.png(), .jpeg(), .webp(), .raw()]

    /// The format, with default options, that a file's extension stands for; nil for one that is none's.
    ///
    /// - Parameter fileExtension: without a dot, in small or capital letters.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "png": self = .png()
        case "jpg", "jpeg": self = .jpeg()
        case "webp": self = .webp()
        case "raw": self = .raw()
        default: return nil
        }
    }

    /// `png`, `jpeg`, `webp` or `raw`.
    public var name: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpeg"
        case .webp: "webp"
        case .raw: "raw"
        }
    }

    private var encoder: any ImageEncoder {
        switch self {
        case .png(let encoder): encoder
        case .jpeg(let encoder): encoder
        case .webp(let encoder): encoder
        case .raw(let encoder): encoder
        }
    }

    public var fileExtension: String { encoder.fileExtension }
    public var limit: FormatLimit? { encoder.limit }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try encoder.encode(pixmap, scale: scale)
    }
}
