/// A request for a page of a document: the properties that all sources with pages share.
public protocol PageRequest: DrawingRequest {
    /// From 1.
    var page: Int { get set }
    /// The box that the page is fitted into, CSS px; nil for the page's own size at 96 CSS px to the inch.
    var fit: FitBox? { get set }
    /// The box that a thumbnail fits into, CSS px. Other pictures ignore it.
    var thumbnail: FitBox { get set }
    /// The part of the page's picture to draw; nil for all of it.
    var clip: ClipBox? { get set }
}

extension PageRequest {
    /// Checks the page, the size and the part. Invalid values would produce meaningless sizes.
    ///
    /// - Throws: `DrawingError.invalidRequest`
    package func checkGeometry() throws(DrawingError) {
        if page < 1 { throw .invalidRequest("the page is \(page); the first page is 1") }
        if !(scale > 0 && scale <= 100) {
            throw .invalidRequest("the scale is \(scale); it must be more than 0 and at most 100")
        }
        for (name, box) in [("fit", fit), ("thumbnail", thumbnail)] {
            guard let box, !box.isValid else { continue }
            throw .invalidRequest(
                "\(name) is \(box.width) × \(box.height) CSS px; a side is from 1 to \(FitBox.longestSide)")
        }
        if let clip, !clip.isValid {
            throw .invalidRequest("the clip is empty; give it a width and a height of more than 0 CSS px")
        }
    }

    /// Adds the size and the part to a fingerprint.
    package func addGeometry(to builder: inout Fingerprint.Builder) {
        let size = [fit?.width, fit?.height].map { $0.map(String.init) ?? "-" }.joined(separator: " ")
        builder.add("size", "\(size) \(scale)")
        if let clip { builder.add("clip", "\(clip.x) \(clip.y) \(clip.width) \(clip.height)") }
    }

    /// The size of a thumbnail, for a fingerprint.
    package var thumbnailText: String { " \(thumbnail.width) \(thumbnail.height)" }
}
