/// A closed line around strokes.
public struct InkLasso: Sendable {
    /// Points of the page. The last one is joined with the first one.
    public var outline: [InkPoint]

    /// Makes a lasso.
    ///
    /// - Parameter outline: points of the page.
    public init(_ outline: [InkPoint]) { self.outline = outline }

    /// The strokes of a page with more than half of their points inside.
    ///
    /// - Parameters:
    ///   - ink: the document.
    ///   - page: from 0.
    /// - Returns: their positions; empty if the page does not exist.
    public func places(in ink: Ink, page: Int) -> [InkPlace] {
        guard ink.pages.indices.contains(page), let box = Stroke(outline, width: 0).bounds else { return [] }
        var places: [InkPlace] = []
        for (layer, items) in ink.pages[page].layers.map(\.items).enumerated() {
            for (index, item) in items.enumerated() {
                guard let stroke = item.stroke, let bounds = stroke.bounds, bounds.intersects(box) else { continue }
                let inside = stroke.points.count { contains(x: $0.x, y: $0.y) }
                if 2 * inside > stroke.points.count {
                    places.append(InkPlace(page: page, layer: layer, index: index))
                }
            }
        }
        return places
    }

    /// True for a point inside, by the even-odd rule.
    public func contains(x: Float, y: Float) -> Bool {
        var isInside = false
        for (index, a) in outline.enumerated() {
            let b = outline[(index + 1) % outline.count]
            if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
        }
        return isInside
    }
}
