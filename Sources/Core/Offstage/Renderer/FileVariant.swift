import Foundation

/// A file of a picture: the whole picture or a thumbnail of it, in a format, at a scale.
public struct FileVariant: Sendable, Hashable {
    public var format: FileFormat
    /// The box of a thumbnail, device px. It keeps the picture's proportions and is never enlarged. Nil, the default, for the
    /// whole picture.
    public var box: PixelSize?
    /// The device scale factor. A scale other than the request's needs a separate drawing. Nil, the
    /// default, uses the request's.
    public var scale: Double?

    public init(_ format: FileFormat, fittingInto box: PixelSize? = nil, scale: Double? = nil) {
        self.format = format
        self.box = box
        self.scale = scale
    }

    /// The name in the store: the format with its options, the box, and the scale unless it is 1.
    public var name: String {
        let box = box.map { "thumb:\($0.width)x\($0.height):" } ?? ""
        let scale = scale.map { $0 == 1 ? "" : String(format: "@%gx", $0) } ?? ""
        return box + format.specification + scale
    }

    /// The variant with the request's scale, unless it has its own.
    public func resolved(for request: some DrawingRequest) -> FileVariant {
        var variant = self
        variant.scale = scale ?? request.scale
        return variant
    }

    /// The largest picture that the file can contain; nil for no limit, as for a thumbnail.
    public var limit: FormatLimit? { box == nil ? format.limit : nil }
}

/// An encoded picture.
public struct EncodedPicture: Sendable {
    public var data: Data
    /// Device px of the file, which may be a thumbnail; whole CSS px for a vector image.
    public var size: PixelSize
    /// Nil for a format without pages.
    var pages: Int?
}

extension RenderedPicture {
    /// Encodes the picture. It takes time in proportion to the pixels: call it off the main thread.
    public func encoded(as variant: FileVariant) throws(EncodingError) -> EncodedPicture {
        let picture = variant.box.map { fitted(into: $0).picture } ?? picture
        return EncodedPicture(
            data: try variant.format.encode(picture, scale: scale), size: picture.size,
            pages: variant.format.hasPages ? picture.pageCount : nil)
    }
}
