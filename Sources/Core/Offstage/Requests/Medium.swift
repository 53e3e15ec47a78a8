/// The medium of a drawing.
public enum Medium: Sendable, Hashable, Codable {
    /// Device px, `Pixmap`.
    case pixels
    /// Lines, letters and fills: one page of the content's size, or as many pages of a paper as the content needs.
    case vector(Paper? = nil)
}

/// A page size. All values are in points, 1/72 inch. A CSS px is 3/4 of a point (CSS Values 4).
public struct Paper: Sendable, Hashable, Codable {
    public var width: Double
    public var height: Double
    /// The empty margin on every side.
    public var margin: Double

    /// - Parameters:
    ///   - width: the width of the whole page, points.
    ///   - height: the height of the whole page, points.
    ///   - margin: points; default 20 mm.
    public init(width: Double, height: Double, margin: Double = 20 * Paper.pointsPerMillimetre) {
        self.width = width
        self.height = height
        self.margin = margin
    }

    public static let pointsPerMillimetre = 72 / 25.4
    public static let pointsPerCSSPixel = 0.75

    /// The area for content, in whole CSS px.
    public var content: (width: Int, height: Int) {
        func whole(_ points: Double) -> Int { Int(((points - 2 * margin) / Self.pointsPerCSSPixel).rounded(.down)) }
        return (whole(width), whole(height))
    }
}
