/// A position in the document, as in the target of a link: `#page=5` or `#page=5&y=120.5`.
public struct PageTarget: Sendable, Hashable {
    /// From 1.
    public var page: Int
    /// From the upper edge of the page's picture at its natural size (96 CSS px per inch), CSS px; nil for the whole
    /// page.
    public var y: Double?

    /// Reads a target.
    ///
    /// - Parameter target: the target of a link.
    /// - Returns: nil if it refers to another document.
    public init?(_ target: String) {
        guard target.hasPrefix("#page=") else { return nil }
        let parts = target.dropFirst(6).split(separator: "&", omittingEmptySubsequences: false)
        guard let first = parts.first, let page = Int(first), page > 0 else { return nil }
        self.page = page
        if parts.count == 2, parts[1].hasPrefix("y=") { y = Double(parts[1].dropFirst(2)) }
    }
}
