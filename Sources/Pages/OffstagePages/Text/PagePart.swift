/// A rectangle of a page, as fractions of the displayed page's width and height: 0 is the left or upper edge, 1 the
/// right or lower one.
public struct PagePart: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    /// The whole page.
    public static let whole = PagePart(x: 0, y: 0, width: 1, height: 1)

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - x: from the left edge, as a fraction of the page's width.
    ///   - y: from the upper edge, as a fraction of the page's height.
    ///   - width: as a fraction of the page's width.
    ///   - height: as a fraction of the page's height.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public var right: Double { x + width }
    public var bottom: Double { y + height }

    /// True if a point is within the rectangle.
    public func contains(x: Double, y: Double) -> Bool { x >= self.x && x < right && y >= self.y && y < bottom }

    /// The smallest rectangle that contains both.
    public func united(with other: PagePart) -> PagePart {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PagePart(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// The smallest rectangle around points; nil without points.
    init?(around points: [PageAnnotation.Point]) {
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
            let bottom = points.map(\.y).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
