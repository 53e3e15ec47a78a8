/// The links, named elements, text and facts of a picture, which a host cannot find in the pixels.
public struct PictureContent: Sendable, Hashable {
    /// In the source's order, so an area that covers another one usually follows it. A link that continues on further
    /// lines has an area for each line. At most `mostAreas`.
    public var areas: [PictureArea]
    /// The text for a screen reader, in one line; at most `mostText` characters.
    public var text: String
    /// The facts by name, such as `frames`; at most `mostFacts`. Empty for a source that reports none.
    public var facts: [String: SourceFact]
    /// The number of pages of the file that is stored with this content; nil for a format without pages.
    var pages: Int?
    /// True if the content is stored only for `pages`, and the picture has no other content.
    private var isForPages = false

    public static let mostAreas = 1_000
    /// Unicode scalars.
    public static let mostText = 2_000
    public static let mostFacts = 100

    public init(areas: [PictureArea] = [], text: String = "", facts: [String: SourceFact] = [:]) {
        self.areas = areas
        self.text = text
        self.facts = facts
    }

    /// True if the content consists only of facts.
    package var isFactsOnly: Bool { areas.isEmpty && text.isEmpty && !facts.isEmpty }

    /// The link at a point, or nil.
    ///
    /// - Parameters:
    ///   - x: CSS px, from the picture's left edge.
    ///   - y: CSS px, from its upper edge.
    public func link(atX x: Double, y: Double) -> PictureArea? {
        areas.last { $0.target != nil && $0.contains(x: x, y: y) }
    }

    /// The content as stored with a file that has pages.
    static func stored(_ content: PictureContent?, pages: Int?) -> PictureContent? {
        guard let pages else { return content }
        var stored = content ?? PictureContent()
        stored.pages = pages
        stored.isForPages = content == nil
        return stored
    }

    /// The picture's content, without the data added for storage.
    var ofPicture: PictureContent? {
        if isForPages { return nil }
        var content = self
        content.pages = nil
        return content
    }

    /// An estimate of its size in memory, in bytes.
    var byteCount: Int {
        areas.reduce(text.utf8.count + 64 * facts.count) {
            $0 + MemoryLayout<PictureArea>.stride + ($1.target?.utf8.count ?? 0) + ($1.identifier?.utf8.count ?? 0)
                + ($1.label?.utf8.count ?? 0)
        }
    }
}

extension PictureContent: Codable {
    private enum Key: CodingKey { case areas, text, facts, pages, isForPages }

    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        areas = try object.decode([PictureArea].self, forKey: .areas)
        text = try object.decode(String.self, forKey: .text)
        // Pictures that were stored before facts existed have none.
        facts = try object.decodeIfPresent([String: SourceFact].self, forKey: .facts) ?? [:]
        pages = try object.decodeIfPresent(Int.self, forKey: .pages)
        isForPages = try object.decodeIfPresent(Bool.self, forKey: .isForPages) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(areas, forKey: .areas)
        try object.encode(text, forKey: .text)
        if !facts.isEmpty { try object.encode(facts, forKey: .facts) }
        try object.encodeIfPresent(pages, forKey: .pages)
        if isForPages { try object.encode(true, forKey: .isForPages) }
    }
}

extension PictureContent {
    /// The content of a picture that was cropped or padded. Areas outside the new picture are dropped, and areas across
    /// its edge are cut.
    ///
    /// - Parameters:
    ///   - left: the position of the new picture's left edge in this one, device px.
    ///   - top: the position of its upper edge, device px.
    ///   - size: the size of the new picture, device px.
    ///   - scale: device px per CSS px.
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

    /// Rounds to a thousandth: smaller differences are arithmetic errors, and would take space.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension PictureArea {
    /// False if an engine's number is infinite or not a number.
    fileprivate var isFinite: Bool { [x, y, width, height].allSatisfy(\.isFinite) }
}
