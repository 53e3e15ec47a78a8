/// What an engine draws into.
public enum Medium: Sendable, Hashable {
    /// Device px, `Pixmap`.
    case pixels
    /// Lines, letters and fills, `VectorImage`: one page of the content's size, or as many as it takes of a paper.
    case vector(Paper? = nil)
}

/// A page that content is laid out for. All in points, 1/72 inch: a CSS px is 3/4 of one (CSS Values 4).
public struct Paper: Sendable, Hashable {
    public var width: Double
    public var height: Double
    /// Left free on every side.
    public var margin: Double

    /// - Parameters:
    ///   - width: of the whole page, points.
    ///   - height: the same.
    ///   - margin: points; default 20 mm.
    public init(width: Double, height: Double, margin: Double = 20 * Paper.pointsPerMillimetre) {
        self.width = width
        self.height = height
        self.margin = margin
    }

    public static let pointsPerMillimetre = 72 / 25.4
    public static let pointsPerCSSPixel = 0.75

    /// What content may take, CSS px, in whole ones.
    public var content: (width: Int, height: Int) {
        func whole(_ points: Double) -> Int { Int(((points - 2 * margin) / Self.pointsPerCSSPixel).rounded(.down)) }
        return (whole(width), whole(height))
    }
}
