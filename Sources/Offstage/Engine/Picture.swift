/// A picture, as an engine draws it into one medium or another.
public enum Picture: Sendable {
    case pixels(Pixmap)
    /// Indirect, because pictures of pixels are copied more often and stay small.
    indirect case vector(any VectorPicture)

    /// Device px; of a vector picture whole CSS px.
    public var size: PixelSize {
        switch self {
        case .pixels(let pixmap): pixmap.size
        case .vector(let picture): picture.size
        }
    }

    /// Nothing shows through it.
    var isOpaque: Bool {
        switch self {
        case .pixels(let pixmap): pixmap.isOpaque
        case .vector(let picture): picture.isOpaque
        }
    }
}

/// A picture that keeps its lines and letters. Formats of the vector medium encode the kinds that they know.
public protocol VectorPicture: Sendable {
    /// Of the first page, whole CSS px.
    var size: PixelSize { get }

    /// Nothing shows through it.
    var isOpaque: Bool { get }

    /// The picture with its edges as the request asks.
    ///
    /// - Returns: the picture, and the CSS px by which its upper left corner moved; negative for padding.
    func finished(with margins: Margins) throws(EncodingError) -> (picture: any VectorPicture, left: Int, top: Int)
}
