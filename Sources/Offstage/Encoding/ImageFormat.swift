import Foundation

/// A file format with its options: one encoder of those there are.
///
/// As an encoder it is that of pixels, and an error where it is no format of pixels (`medium`).
public enum ImageFormat: ImageEncoder, Hashable {
    case png(PNGEncoder = PNGEncoder())
    case jpeg(JPEGEncoder = JPEGEncoder())
    case webp(WebPEncoder = WebPEncoder())
    case raw(RawEncoder = RawEncoder())
    case pdf(PDFEncoder = PDFEncoder())
    case svg(SVGEncoder = SVGEncoder())

    /// Each with default options, in the order in which they are told.
    public static let all: [ImageFormat] = [.png(), .jpeg(), .webp(), .raw(), .pdf(), .svg()]

    /// The format, with default options, that a file's extension stands for; nil for one that is none's.
    ///
    /// - Parameter fileExtension: without a dot, in small or capital letters.
    public init?(fileExtension: String) {
        let fileExtension = fileExtension.lowercased()
        guard let format = Self.all.first(where: { $0.fileExtensions.contains(fileExtension) }) else { return nil }
        self = format
    }

    /// Without a dot, in small letters: `jpg` and `jpeg`.
    public var fileExtensions: [String] {
        if case .jpeg = self { ["jpg", "jpeg"] } else { [fileExtension] }
    }

    /// As options and reports have it: `png`, `jpeg` and so on, one for each of `all`.
    public var name: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpeg"
        case .webp: "webp"
        case .raw: "raw"
        case .pdf: "pdf"
        case .svg: "svg"
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
        case .pdf(let pdf): "pdf\(pdf.paper.map { ":page=\($0.width)x\($0.height),margin=\($0.margin)" } ?? "")"
        case .svg: "svg"
        }
    }

    /// What a picture has to be drawn into for it.
    public var medium: Medium {
        switch self {
        case .png, .jpeg, .webp, .raw: .pixels
        case .pdf(let pdf): .vector(pdf.paper)
        case .svg: .vector()
        }
    }

    /// Nil for a format that no pixels become.
    private var encoder: (any ImageEncoder)? {
        switch self {
        case .png(let encoder): encoder
        case .jpeg(let encoder): encoder
        case .webp(let encoder): encoder
        case .raw(let encoder): encoder
        case .pdf, .svg: nil
        }
    }

    /// Without a dot: `png`.
    public var fileExtension: String { encoder?.fileExtension ?? name }
    /// How large a picture the format can hold, of those that are made of pixels; nil where that is more than any engine draws.
    public var limit: FormatLimit? { encoder?.limit }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try encode(.pixels(pixmap), scale: scale)
    }

    /// - Parameters:
    ///   - picture: of the format's medium, without its paper; another one is an error.
    ///   - scale: device px to a CSS px.
    public func encode(_ picture: Picture, scale: Double) throws(EncodingError) -> Data {
        switch (self, picture) {
        case (.pdf(let encoder), .vector(let image)): return try encoder.encode(image)
        case (.svg(let encoder), .vector(let image)): return try encoder.encode(image)
        case (_, .pixels(let pixmap)):
            guard let encoder else { break }
            return try encoder.encode(pixmap, scale: scale)
        default: break
        }
        throw EncodingError("\(name) cannot hold a picture of this medium")
    }
}

extension Color {
    /// `1/0.5/0/1`.
    fileprivate var words: String { "\(red)/\(green)/\(blue)/\(alpha)" }
}
