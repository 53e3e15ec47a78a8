/// The box that a picture of any source is fitted into, see `BoxedRequest`.
package struct PictureBox: Sendable, Hashable {
    /// The way in which a picture fills a box. It keeps the picture's proportions, except `fill`. The names are the
    /// same as for image files.
    package enum Fit: String, Sendable, CaseIterable {
        /// The picture is at most as large as the box.
        case inside
        /// The picture is inside the box; the rest of the box has the background's colour.
        case contain
        /// The picture covers the box; anything outside the box is cut off.
        case cover
        /// The picture is stretched.
        case fill
    }

    /// CSS px, from 1.
    package var width: Int
    /// CSS px, from 1.
    package var height: Int
    package var fit: Fit
    /// The position of the picture, or of the part to keep, from 0 (left) to 1 (right). Default the middle.
    package var x = 0.5
    /// From 0 for top to 1 for bottom. Default the middle.
    package var y = 0.5
    /// The colour around a contained picture; nil, the default, for the drawing's background.
    package var background: Color?

    /// - Parameters:
    ///   - width: CSS px, from 1.
    ///   - height: CSS px, from 1.
    package init(width: Int, height: Int, fit: Fit) { (self.width, self.height, self.fit) = (width, height, fit) }

    /// Device px.
    func size(scale: Double) -> PixelSize {
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        return PixelSize(width: side(width), height: side(height))
    }

    /// A text for fingerprints: the same for equal boxes, in every build.
    var description: String {
        let color = background.map { "\($0.red) \($0.green) \($0.blue) \($0.alpha)" } ?? "-"
        return "\(width)x\(height) \(fit.rawValue) \(x) \(y) \(color)"
    }
}
