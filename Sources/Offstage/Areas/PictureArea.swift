/// A rectangle of a picture that stands for something: a link, or an element that has a name.
///
/// What it says is the source's own, a stranger's: nothing here loads or checks a target. Before a host opens one it looks at the
/// scheme and, best, asks.
public struct PictureArea: Sendable, Hashable, Codable {
    /// CSS px, from the left edge of the finished picture.
    public var x: Double
    /// CSS px, from the upper edge of the finished picture.
    public var y: Double
    /// CSS px, more than 0.
    public var width: Double
    /// CSS px, more than 0.
    public var height: Double
    /// Where the link leads, as the source has it; nil for what is no link. Text of 4,096 characters at most.
    public var target: String?
    /// The element's name in its source; nil where it has none. Text of 4,096 characters at most.
    public var identifier: String?

    public init(
        x: Double, y: Double, width: Double, height: Double, target: String? = nil, identifier: String? = nil
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.target = target
        self.identifier = identifier
    }

    /// Whether a point is within it.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the picture's left edge.
    ///   - y: CSS px, from its upper edge.
    public func contains(x: Double, y: Double) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }
}
