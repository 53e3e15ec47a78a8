import Foundation

/// The outline of a stroke for vector formats: closed parts that are filled together by the nonzero rule, so that a translucent
/// stroke does not darken itself.
///
/// A part is one side forward and the other side back, with round ends, or with those of the stroke's cap. A new part begins where
/// the line turns so sharply that the inner side would go backwards.
struct StrokeOutline {
    struct Place: Hashable {
        var x: Float
        var y: Float
    }

    struct Part {
        /// From the first to the last place of the line, to the left of it.
        var left: [Place]
        /// The same, to the right of it.
        var right: [Place]
        var startRadius: Float
        var endRadius: Float
        /// False for the flat beginning of the line, and not of a part behind a sharp turn.
        var hasRoundStart = true
        var hasRoundEnd = true
    }

    private(set) var parts: [Part] = []
    /// Circles, for dots.
    private(set) var dots: [InkNode] = []

    /// - Parameters:
    ///   - nodes: of the centre line.
    ///   - cap: of both ends. A dot is always round.
    init(_ nodes: [InkNode], cap: InkCap) {
        // Places that are equal have no direction.
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

/// Ink as plain shapes, for vector formats.
struct InkShapes {
    let raster = InkRaster()

    /// The closed parts of a stroke. Dashes are cut; a stroke without points has none.
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

    /// The lines of a page's paper.
    static func lines(of page: InkPage) -> [PaperLine] {
        guard case .paper(let paper, let ruling) = page.background else { return [] }
        let gray = paper.isDark ? InkColor(red: 67, green: 67, blue: 67) : InkColor(red: 189, green: 189, blue: 189)
        let blue = paper.isDark ? InkColor(red: 34, green: 80, blue: 128) : InkColor(red: 64, green: 160, blue: 255)
        let pink = paper.isDark ? InkColor(red: 128, green: 16, blue: 72) : InkColor(red: 255, green: 0, blue: 128)
        let (width, height) = (page.width, page.height)
        var lines: [PaperLine] = []
        func across(_ y: Float, _ color: InkColor, from: Float = 0, to: Float? = nil) {
            lines.append(PaperLine(x1: from, y1: y, x2: to ?? width, y2: y, width: 0.5, color: color))
        }
        func down(_ x: Float, _ color: InkColor) {
            lines.append(PaperLine(x1: x, y1: 0, x2: x, y2: height, width: 0.5, color: color))
        }
        func steps(_ from: Float, _ to: Float, _ step: Float) -> [Float] {
            stride(from: from, to: to, by: max(step, max(width, height) / 2_000)).map { $0 }
        }
        switch ruling {
        case .plain, .isometricGraph, .isometricDotted: break
        case .lined, .ruled:
            for y in steps(80, height - 60, 24) { across(y, blue) }
            if ruling == .lined { down(72, pink) }
        case .graph:
            let step = page.rulingSpacing > 0 ? page.rulingSpacing : 14.17
            let margin = page.rulingMargin
            // Whole squares inside of the margin.
            let start = margin > 0 ? (margin / step).rounded(.up) * step : 0
            let right = margin > 0 ? ((width - margin) / step).rounded(.down) * step : width
            let bottom = margin > 0 ? ((height - margin) / step).rounded(.down) * step : height
            for y in steps(start, bottom + 0.01, step) { across(y, gray, from: start, to: right) }
            for x in steps(start, right + 0.01, step) {
                lines.append(PaperLine(x1: x, y1: start, x2: x, y2: bottom, width: 0.5, color: gray))
            }
        case .dotted:
            for y in steps(14.17, height, 14.17).prefix(500) {
                for x in steps(14.17, width, 14.17).prefix(500) {
                    lines.append(PaperLine(x1: x, y1: y, x2: x, y2: y, width: 1.5, color: gray))
                }
            }
        case .staves:
            for top in steps(72, height - 60, 60) {
                for line in 0..<5 { across(top + 5 * Float(line), .black, from: 40, to: width - 40) }
            }
        }
        return lines
    }
}

/// A straight line of paper with round ends, points.
struct PaperLine {
    var x1, y1, x2, y2, width: Float
    var color: InkColor
}
