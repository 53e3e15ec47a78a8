/// A rectangle of a picture with a meaning: a link, or a named element.
///
/// Target, name and label are untrusted text from the source; nothing here loads or checks a target. Before a host
/// opens one, it should check the scheme and ideally ask the user.
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
    /// The words of the link: its accessible label, its text with the alternative texts of its images, or its title; nil
    /// if it has none, or if the area is not a link. All areas of a link have the same label. At most 200 characters.
    public var label: String?

    /// - Parameters:
    ///   - x: CSS px, from the left edge of the finished picture.
    ///   - y: CSS px, from its upper edge.
    ///   - width: CSS px, more than 0.
    ///   - height: CSS px, more than 0.
    ///   - target: the link's target as written in the source; nil if the area is not a link.
    ///   - identifier: the element's name in the source; nil if it has no name.
    ///   - label: the words of the link; nil if it has none.
    public init(
        x: Double, y: Double, width: Double, height: Double, target: String? = nil, identifier: String? = nil,
        label: String? = nil
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.target = target
        self.identifier = identifier
        self.label = label
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
