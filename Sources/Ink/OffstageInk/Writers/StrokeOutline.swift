import Foundation

/// The outline of a stroke for vector formats: closed parts that are filled together by the nonzero rule, so that a
/// translucent stroke does not darken itself.
///
/// A part runs along one side and back along the other, with round ends, or with the stroke's caps. A new part begins
/// where the line turns so sharply that the inner side would run backwards.
struct StrokeOutline {
    struct Place: Hashable {
        var x: Float
        var y: Float
    }

    struct Part {
        /// The left side, from the first to the last point of the line.
        var left: [Place]
        /// The right side, in the same order.
        var right: [Place]
        var startRadius: Float
        var endRadius: Float
        /// False if the part is the flat beginning of the line, and not a part after a sharp turn.
        var hasRoundStart = true
        var hasRoundEnd = true
    }

    private(set) var parts: [Part] = []
    /// Circles, for dots.
    private(set) var dots: [InkNode] = []

    /// - Parameters:
    ///   - nodes: the centre line.
    ///   - cap: the shape of both ends. A dot is always round.
    init(_ nodes: [InkNode], cap: InkCap) {
        // Equal points have no direction.
        var line: [InkNode] = []
        for node in nodes where line.last.map({ hypotf($0.x - node.x, $0.y - node.y) > 0.02 }) ?? true {
            line.append(node)
        }
        if line.count == 1 { dots = line }
        guard line.count > 1 else { return }
        let last = line.count - 1
        if cap == .square {
            let (start, end) = (Self.direction(line[1], line[0]), Self.direction(line[last - 1], line[last]))
            line[0].x += start.x * line[0].radius
            line[0].y += start.y * line[0].radius
            line[last].x += end.x * line[last].radius
            line[last].y += end.y * line[last].radius
        }
        divide(line)
        if cap != .round {
            parts[0].hasRoundStart = false
            parts[parts.count - 1].hasRoundEnd = false
        }
    }

    private mutating func divide(_ line: [InkNode]) {
        var part = Part(left: [], right: [], startRadius: line[0].radius, endRadius: 0)
        for index in line.indices {
            let node = line[index]
            let before = index > 0 ? Self.direction(line[index - 1], node) : Self.direction(node, line[index + 1])
            let after = index + 1 < line.count ? Self.direction(node, line[index + 1]) : before
            if index > 0, index + 1 < line.count,
                Self.isSharp(before, after, node.radius, line[index - 1], node, line[index + 1])
            {
                Self.add(node, before, to: &part)
                part.endRadius = node.radius
                parts.append(part)
                part = Part(left: [], right: [], startRadius: node.radius, endRadius: 0)
                Self.add(node, after, to: &part)
            } else {
                let (x, y) = (before.x + after.x, before.y + after.y)
                let length = max(hypotf(x, y), 1e-6)
                Self.add(node, Place(x: x / length, y: y / length), to: &part)
            }
        }
        part.endRadius = line[line.count - 1].radius
        parts.append(part)
    }

    private static func direction(_ a: InkNode, _ b: InkNode) -> Place {
        let length = max(hypotf(b.x - a.x, b.y - a.y), 1e-6)
        return Place(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
    }

    private static func isSharp(
        _ before: Place, _ after: Place, _ radius: Float, _ a: InkNode, _ b: InkNode, _ c: InkNode
    ) -> Bool {
        let cosine = before.x * after.x + before.y * after.y
        if cosine < 0.5 { return true }
        // The inner side moves back by this much.
        let back = radius * ((1 - cosine) / (1 + cosine)).squareRoot()
        return back > min(hypotf(b.x - a.x, b.y - a.y), hypotf(c.x - b.x, c.y - b.y)) * 0.9
    }

    private static func add(_ node: InkNode, _ direction: Place, to part: inout Part) {
        let (x, y) = (-direction.y * node.radius, direction.x * node.radius)
        part.left.append(Place(x: node.x + x, y: node.y + y))
        part.right.append(Place(x: node.x - x, y: node.y - y))
    }
}

/// Ink as plain shapes for vector formats.
struct InkShapes {
    let raster = InkRaster()

    /// The closed parts of a stroke. Applies dashes. Empty for a stroke without points.
    func outlines(of stroke: Stroke) -> [StrokeOutline] {
        let nodes = raster.nodes(of: stroke, scale: 2)
        if stroke.dash.reduce(0, +) <= 0.2 { return [StrokeOutline(nodes, cap: stroke.cap)] }
        return Self.dashes(nodes, stroke.dash).map { StrokeOutline($0, cap: stroke.cap) }
    }

    private static func dashes(_ nodes: [InkNode], _ lengths: [Float]) -> [[InkNode]] {
        guard let first = nodes.first else { return [] }
        let lengths = (lengths.count % 2 == 1 ? lengths + lengths : lengths).map { max($0, 0) }
        var (dashes, dash, part, left): ([[InkNode]], [InkNode], Int, Float) = ([], [first], 0, lengths[0])
        for (from, to) in zip(nodes, nodes.dropFirst()) {
            let length = hypotf(to.x - from.x, to.y - from.y)
            var at: Float = 0
            while length - at > left, dashes.count < 100_000 {
                at += left
                let share = at / length
                let node = InkNode(
                    x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share,
                    radius: from.radius + (to.radius - from.radius) * share, opacity: from.opacity)
                if part % 2 == 0 { dashes.append(dash + [node]) }
                dash = [node]
                part = (part + 1) % lengths.count
                left = lengths[part]
            }
            left -= length - at
            if part % 2 == 0 { dash.append(to) }
        }
        if part % 2 == 0 { dashes.append(dash) }
        return dashes
    }
}
