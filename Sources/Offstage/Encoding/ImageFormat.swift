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

    /// The format and all its options in words: `jpeg:quality=80,subsampling=4:4:4,background=…`.
    public var specification: String {
        switch self {
        case .png(let png): "png:level=\(png.level)\(png.usesPalette ? ",palette" : "")"
        case .jpeg(let jpeg):
            "jpeg:quality=\(jpeg.quality),subsampling=\(jpeg.subsampling.rawValue),background=\(jpeg.background.words)"
        case .webp(let webp):
            switch webp.compression {
            case .lossless: "webp:lossless"
            case .quality(let quality): "webp:quality=\(quality)"
            }
        case .raw(let raw): "raw:\(raw.layout.rawValue.lowercased())"
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

extension Color {
    /// `1/0.5/0/1`.
    fileprivate var words: String { "\(red)/\(green)/\(blue)/\(alpha)" }
}
