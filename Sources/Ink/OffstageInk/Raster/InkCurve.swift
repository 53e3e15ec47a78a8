import COffstageInk

/// The centre line of a stroke as drawn: short straight lines with the pen's state at their ends.
struct InkCurve {
    /// Points on the curve, with pressure, tilt and time interpolated between the neighbouring samples.
    var points: [InkPoint] = []
    /// The radius of the drawn line at each point, in points of the page.
    var radii: [Float] = []
    /// The number of texture stamps before each point; empty for a solid line. A simplified line has only the first
    /// one.
    var phases: [Float] = []

    var isEmpty: Bool { points.isEmpty }

    /// Returns the line with fewer points. Each omitted point, and the line's edge there, is within the tolerance of
    /// the new line.
    ///
    /// - Parameters:
    ///   - tolerance: in points of the page.
    ///   - pressure: the largest difference in pressure. Default: pressure is not compared.
    func simplified(tolerance: Float, pressure: Float = .infinity) -> InkCurve {
        guard points.count > 2 else { return self }
        var curve = InkCurve(points: [points[0]], radii: [radii[0]], phases: Array(phases.prefix(1)))
        var start = 0
        while start < points.count - 1 {
            var end = start + 1
            // Long enough for straight lines, and short enough that no line takes long.
            while end + 1 < points.count, end - start < 256,
                isStraight(from: start, to: end + 1, tolerance, pressure)
            {
                end += 1
            }
            curve.points.append(points[end])
            curve.radii.append(radii[end])
            start = end
        }
        // Straight lines of more than 256 points are split.
        return curve.points.count < points.count && curve.points.count > 3
            ? curve.simplified(tolerance: tolerance / 4, pressure: pressure / 4) : curve
    }

    private func isStraight(from start: Int, to end: Int, _ tolerance: Float, _ pressure: Float) -> Bool {
        let (a, b) = (points[start], points[end])
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        for index in (start + 1)..<end {
            let point = points[index]
            let share = length > 0 ? min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / length, 0), 1) : 0
            let (px, py) = (point.x - a.x - dx * share, point.y - a.y - dy * share)
            guard px * px + py * py <= tolerance * tolerance,
                abs(radii[index] - radii[start] - (radii[end] - radii[start]) * share) <= tolerance,
                abs(point.pressure - a.pressure - (b.pressure - a.pressure) * share) <= pressure
            else { return false }
        }
        return true
    }
}

extension InkRaster {
    /// The centre line as drawn at a scale.
    ///
    /// - Parameter scale: device px per point of the page.
    func curve(of stroke: Stroke, scale: Double) -> InkCurve {
        var usable = stroke
        // The same limit as in the raster.
        let far: Float = 1e6
        usable.points.removeAll { !(abs($0.x) <= far && abs($0.y) <= far && $0.pressure.isFinite) }
        let samples = usable.points
        var places: [offstage_ink_share] = []
        var whole =
            withNodes(of: usable, scale: scale) { nodes, shares in
                if usable.texture != nil { places = Array(shares) }
                var curve = InkCurve()
                curve.points.reserveCapacity(nodes.count)
                curve.radii.reserveCapacity(nodes.count)
                for (node, share) in zip(nodes, shares) {
                    let first = Int(share.segment)
                    guard samples.indices.contains(first) else { continue }
                    let last = min(first + 1, samples.count - 1)
                    var point = InkPoint(between: samples[first], samples[last], share.share)
                    (point.x, point.y) = (node.x, node.y)
                    curve.points.append(point)
                    curve.radii.append(node.radius)
                }
                return curve
            } ?? InkCurve()
        let phases = phases(of: usable, at: places)
        if phases.count == whole.points.count { whole.phases = phases }
        return whole
    }
}
