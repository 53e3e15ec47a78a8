/// A picture in the medium in which an engine drew it.
public enum Picture: Sendable {
    case pixels(Pixmap)
    /// Indirect, because pixel pictures are copied more often and should stay small.
    indirect case vector(any VectorPicture)

    /// Device px; for a vector picture, whole CSS px.
    public var size: PixelSize {
        switch self {
        case .pixels(let pixmap): pixmap.size
        case .vector(let picture): picture.size
        }
    }

    /// Nil for pixels.
    var pageCount: Int? {
        if case .vector(let picture) = self { picture.pageCount } else { nil }
    }

    /// True if nothing behind the picture shows through it.
    var isOpaque: Bool {
        switch self {
        case .pixels(let pixmap): pixmap.isOpaque
        case .vector(let picture): picture.isOpaque
        }
    }
}

/// A picture that consists of lines and letters instead of pixels. Formats of the vector medium encode the kinds that
/// they know.
public protocol VectorPicture: Sendable {
    /// The size of the first page, whole CSS px.
    var size: PixelSize { get }

    /// True if nothing behind the picture shows through it.
    var isOpaque: Bool { get }

    /// The number of pages, for formats that have pages; default 1.
    var pageCount: Int { get }

    /// Trims and pads the picture as requested.
    ///
    /// - Returns: the picture, and the CSS px by which its upper left corner moved; negative for padding.
    func finished(with margins: Margins) throws(EncodingError) -> (picture: any VectorPicture, left: Int, top: Int)
}

extension VectorPicture {
    public var pageCount: Int { 1 }
}
