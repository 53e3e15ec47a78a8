/// A rectangle of a picture with a meaning: a link, or a named element.
///
/// Target and name are untrusted text from the source; nothing here loads or checks a target. Before a host opens one,
/// it checks the scheme and, best, asks the user.
public struct PictureArea: Sendable, Hashable, Codable {
    /// CSS px, from the left edge of the finished picture.
    public var x: Double
    /// CSS px, from the upper edge of the finished picture.
    public var y: Double
    /// CSS px, more than 0.
    public var width: Double
    /// CSS px, more than 0.
    public var height: Double
    /// The link's target as written in the source; nil if the area is not a link. At most 4,096 characters.
    public var target: String?
    /// The element's name in the source; nil if it has no name. At most 4,096 characters.
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

    /// True if a point is within the area.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the picture's left edge.
    ///   - y: CSS px, from its upper edge.
    public func contains(x: Double, y: Double) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }
}
