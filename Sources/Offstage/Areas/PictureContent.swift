/// What stands in a picture, for a host that makes it clickable and readable: the pixels do not tell.
public struct PictureContent: Sendable, Hashable, Codable {
    /// In the source's order, so that what lies on top of another comes later, mostly. A link that goes over several lines has
    /// one for each. At most `mostAreas`.
    public var areas: [PictureArea]
    /// What a screen reader would say, in one line; at most `mostText` characters.
    public var text: String

    public static let mostAreas = 1_000
    /// Characters as Unicode counts them, scalars.
    public static let mostText = 2_000

    public init(areas: [PictureArea] = [], text: String = "") {
        self.areas = areas
        self.text = text
    }

    /// The link at a point; nil where there is none.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the picture's left edge.
    ///   - y: CSS px, from its upper edge.
    public func link(atX x: Double, y: Double) -> PictureArea? {
        areas.last { $0.target != nil && $0.contains(x: x, y: y) }
    }

    /// Bytes that it takes in memory, about.
    var byteCount: Int {
        areas.reduce(text.utf8.count) {
            $0 + MemoryLayout<PictureArea>.stride + ($1.target?.utf8.count ?? 0) + ($1.identifier?.utf8.count ?? 0)
        }
    }
}

extension PictureContent {
    /// The same in a picture that begins elsewhere and ends elsewhere: what is outside is left out, what goes beyond an edge is cut.
    ///
    /// - Parameters:
    ///   - left: where the new picture's left edge is in this one, device px.
    ///   - top: where its upper edge is, device px.
    ///   - size: of the new picture, device px.
    ///   - scale: device px to a CSS px.
    public func moved(left: Int, top: Int, size: PixelSize, scale: Double) -> PictureContent {
        let (width, height) = (Double(size.width) / scale, Double(size.height) / scale)
        var moved = self
        moved.areas = areas.lazy.compactMap { area in
            guard area.isFinite else { return nil }
            let (x, y) = (area.x - Double(left) / scale, area.y - Double(top) / scale)
            let (x0, y0) = (max(0, x), max(0, y))
            let (x1, y1) = (min(width, x + area.width), min(height, y + area.height))
            var area = area
            (area.x, area.y) = (Self.rounded(x0), Self.rounded(y0))
            (area.width, area.height) = (Self.rounded(x1 - x0), Self.rounded(y1 - y0))
            return area.width > 0 && area.height > 0 ? area : nil
        }.prefix(Self.mostAreas).map(\.self)
        return moved
    }

    /// To a thousandth: what is less is an error of the arithmetic, and takes room.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension PictureArea {
    /// An engine's numbers may be none.
    fileprivate var isFinite: Bool { [x, y, width, height].allSatisfy(\.isFinite) }
}
