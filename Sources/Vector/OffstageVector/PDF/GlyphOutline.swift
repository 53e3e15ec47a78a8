/// The outline of a glyph: areas filled by the nonzero rule, in font units, y upwards.
struct GlyphOutline: Hashable {
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    enum Segment: Hashable {
        case line(Point)
        case curve(Point, Point, Point)

        var points: [Point] {
            switch self {
            case .line(let end): [end]
            case .curve(let first, let second, let end): [first, second, end]
            }
        }
    }

    /// A closed curve: it ends where it starts.
    struct Contour: Hashable {
        var start: Point
        var segments: [Segment] = []
    }

    /// The advance width.
    var width: Double
    var contours: [Contour] = []

    /// Left, bottom, right and top of all points, including control points. Nil for a space.
    var box: [Double]? {
        guard let first = contours.first?.start else { return nil }
        var box = [first.x, first.y, first.x, first.y]
        func add(_ point: Point) {
            box = [min(box[0], point.x), min(box[1], point.y), max(box[2], point.x), max(box[3], point.y)]
        }
        for contour in contours {
            add(contour.start)
            for segment in contour.segments { segment.points.forEach(add) }
        }
        return box
    }
}
