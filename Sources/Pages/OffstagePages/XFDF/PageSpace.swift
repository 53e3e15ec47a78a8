/// The page's box in document coordinates, which XFDF uses: points from the document's lower left corner, before the
/// page is rotated.
struct PageSpace: Sendable {
    /// The coordinates of three corners of the displayed page.
    var upperLeft: (x: Double, y: Double)
    var upperRight: (x: Double, y: Double)
    var lowerLeft: (x: Double, y: Double)
    /// Points per unit of the coordinates.
    var unit: Double

    /// In square units; negative if the page is mirrored.
    var area: Double {
        (upperRight.x - upperLeft.x) * (lowerLeft.y - upperLeft.y)
            - (upperRight.y - upperLeft.y) * (lowerLeft.x - upperLeft.x)
    }

    /// The coordinates of a point of the page.
    func coordinates(_ point: PageAnnotation.Point) -> (x: Double, y: Double) {
        (
            upperLeft.x + point.x * (upperRight.x - upperLeft.x) + point.y * (lowerLeft.x - upperLeft.x),
            upperLeft.y + point.x * (upperRight.y - upperLeft.y) + point.y * (lowerLeft.y - upperLeft.y)
        )
    }

    /// The point of the page with these coordinates.
    func point(_ x: Double, _ y: Double) -> PageAnnotation.Point {
        let across = (x: upperRight.x - upperLeft.x, y: upperRight.y - upperLeft.y)
        let down = (x: lowerLeft.x - upperLeft.x, y: lowerLeft.y - upperLeft.y)
        let (dx, dy) = (x - upperLeft.x, y - upperLeft.y)
        return .init(x: (dx * down.y - dy * down.x) / area, y: (across.x * dy - across.y * dx) / area)
    }

    /// The rectangle around points with these coordinates; nil without points.
    func part(around points: [(Double, Double)]) -> PagePart? {
        PagePart(around: points.map { point($0.0, $0.1) })
    }

    /// The coordinates of a part of the page: left, bottom, right, top.
    func rectangle(_ part: PagePart) -> [Double] {
        let corners = [
            coordinates(.init(x: part.x, y: part.y)), coordinates(.init(x: part.right, y: part.bottom)),
        ]
        return [
            min(corners[0].x, corners[1].x), min(corners[0].y, corners[1].y), max(corners[0].x, corners[1].x),
            max(corners[0].y, corners[1].y),
        ]
    }
}
