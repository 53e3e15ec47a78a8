/// A part of a page's picture, such as the visible part of an enlarged page. Anything outside the page is not drawn.
public struct ClipBox: Sendable, Hashable {
    /// CSS px, from the left edge of the page's picture.
    public var x: Double
    /// CSS px, from the upper edge of the page's picture.
    public var y: Double
    /// CSS px, more than 0.
    public var width: Double
    /// CSS px, more than 0.
    public var height: Double

    /// Makes a box.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the left edge of the page's picture.
    ///   - y: CSS px, from its upper edge.
    ///   - width: CSS px, more than 0.
    ///   - height: CSS px, more than 0.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    var isValid: Bool { [x, y, width, height].allSatisfy(\.isFinite) && width > 0 && height > 0 }
}
