import Foundation

/// One file to make of a request: the whole picture or a thumbnail of it, in a format, at a scale.
public struct ImageVariant: Sendable, Hashable {
    public var format: ImageFormat
    /// A thumbnail: device px to fit into, in the same proportions and never enlarged. Nil, the default, for the picture as
    /// it is.
    public var box: PixelSize?
    /// The device scale factor. One that is not the request's needs a drawing of its own. Nil, the default, for the request's.
    public var scale: Double?

    public init(_ format: ImageFormat, fittingInto box: PixelSize? = nil, scale: Double? = nil) {
        self.format = format
        self.box = box
        self.scale = scale
    }

    /// What tells it from other variants in a store: the format with its options, the box, and the scale where it is not 1.
    public var name: String {
        let box = box.map { "thumb:\($0.width)x\($0.height):" } ?? ""
        let scale = scale.map { $0 == 1 ? "" : String(format: "@%gx", $0) } ?? ""
        return box + format.specification + scale
    }

    /// The same, at a request's scale where it has none of its own.
    public func resolved(for request: some DrawingRequest) -> ImageVariant {
        var variant = self
        variant.scale = scale ?? request.scale
        return variant
    }

    /// How large a picture may be drawn for it; nil where any will do, as for a thumbnail.
    public var limit: FormatLimit? { box == nil ? format.limit : nil }
}

/// A picture as a file's bytes.
public struct EncodedImage: Sendable {
    public var data: Data
    /// Device px; a thumbnail's own. Of a vector image whole CSS px.
    public var size: PixelSize
}

extension RenderedImage {
    /// The picture as a file's bytes. It takes time in proportion to the pixels: call it off the main thread.
    public func encoded(as variant: ImageVariant) throws(EncodingError) -> EncodedImage {
        let picture = variant.box.map { fitted(into: $0).picture } ?? picture
        return EncodedImage(data: try variant.format.encode(picture, scale: scale), size: picture.size)
    }
}
