/// Erases strokes along a line.
public enum InkEraser: String, Sendable, Hashable, Codable, CaseIterable {
    /// Cuts out the touched part. The remaining parts become separate strokes.
    case part
    /// Removes each stroke that it touches.
    case stroke
    /// Like `stroke`, but only for highlighters.
    case highlighter

    /// Erases from a page, between two positions of the eraser.
    ///
    /// - Parameters:
    ///   - from: the eraser's previous position, in points of the page.
    ///   - to: its new position, in points of the page.
    ///   - radius: the eraser's radius, in points.
    ///   - page: the page's index. Has no effect if the page does not exist.
    ///   - editor: the document.
    ///   - time: seconds, on the editor's clock.
    /// - Returns: the part of the page that changed; nil if nothing did.
    @discardableResult
    public func erase(
        from: (x: Float, y: Float), to: (x: Float, y: Float), radius: Float, page: Int, in editor: inout InkEditor,
        at time: Double? = nil
    ) -> InkBox? {
        guard editor.ink.pages.indices.contains(page), radius >= 0 else { return nil }
        let path = InkSegment(from.x, from.y, to.x, to.y)
        let box = path.box.grown(by: radius)
        let raster = InkRaster()
        var changed: InkBox?
        for (layer, boxes) in editor.boxes(ofPage: page).enumerated() {
            // From the top, so that the positions below stay valid.
            for index in boxes.indices.reversed() {
                guard let bounds = boxes[index], bounds.intersects(box),
                    let stroke = editor.ink.pages[page].layers[layer].items[index].stroke,
                    self != .highlighter || stroke.tool == .highlighter,
                    let left = remains(of: stroke, path, radius, raster)
                else { continue }
                changed = changed?.union(bounds) ?? bounds
                editor.replace(InkPlace(page: page, layer: layer, index: index), with: left, at: time)
            }
        }
        return changed
    }

    /// - Returns: the remaining parts of a stroke; nil if the eraser does not touch it.
    private func remains(
        of stroke: Stroke, _ path: InkSegment, _ radius: Float, _ raster: InkRaster
    ) -> [Stroke]? {
        // Finer than the eye can see.
        let curve = raster.curve(of: stroke, scale: 8)
        guard curve.isTouched(by: path, radius) else { return nil }
        return self == .part
            ? curve.parts(without: path, radius, joinsEnds: stroke.canBeJoined).map { stroke.part($0) } : []
    }
}

/// A straight line between two points of a page.
struct InkSegment {
    let x1, y1, x2, y2: Float

    init(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float) { (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2) }

    var box: InkBox { InkBox(left: min(x1, x2), top: min(y1, y2), right: max(x1, x2), bottom: max(y1, y2)) }

    func distance(x: Float, y: Float) -> Float {
        let (dx, dy) = (x2 - x1, y2 - y1)
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(max(((x - x1) * dx + (y - y1) * dy) / length, 0), 1) : 0
        let (px, py) = (x - x1 - dx * share, y - y1 - dy * share)
        return (px * px + py * py).squareRoot()
    }

    func distance(to other: InkSegment) -> Float {
        if crosses(other) { return 0 }
        return min(
            distance(x: other.x1, y: other.y1), distance(x: other.x2, y: other.y2), other.distance(x: x1, y: y1),
            other.distance(x: x2, y: y2))
    }

    private func crosses(_ other: InkSegment) -> Bool {
        func side(_ a: InkSegment, _ x: Float, _ y: Float) -> Float {
            (a.x2 - a.x1) * (y - a.y1) - (a.y2 - a.y1) * (x - a.x1)
        }
        return side(self, other.x1, other.y1) * side(self, other.x2, other.y2) < 0
            && side(other, x1, y1) * side(other, x2, y2) < 0
    }
}

extension InkCurve {
    /// True if a line of the given radius touches the drawn stroke.
    fileprivate func isTouched(by path: InkSegment, _ radius: Float) -> Bool {
        if points.count == 1 { return path.distance(x: points[0].x, y: points[0].y) <= radius + radii[0] }
        return points.indices.dropLast().contains { index in
            let segment = InkSegment(points[index].x, points[index].y, points[index + 1].x, points[index + 1].y)
            return path.distance(to: segment) <= radius + max(radii[index], radii[index + 1])
        }
    }

    /// Returns the rest of this line after cutting out another line of the given radius. The ends are where that
    /// line's edge crosses this one.
    ///
    /// - Parameter joinsEnds: true to keep the parts at both ends of a closed line together, so that they don't darken
    ///   each other.
    fileprivate func parts(without path: InkSegment, _ radius: Float, joinsEnds: Bool) -> [InkCurve] {
        var parts: [InkCurve] = []
        var part = InkCurve()
        func isInside(_ place: Place) -> Bool {
            path.distance(x: place.point.x, y: place.point.y) <= radius + place.radius
        }
        func finish() {
            if part.points.count > 1 { parts.append(part) }
            part = InkCurve()
        }
        for index in points.indices {
            let place = place(index)
            guard index > 0 else {
                if !isInside(place) { part.append(place) }
                continue
            }
            // Steps of half the eraser's reach, so that no gap is missed.
            let before = self.place(index - 1)
            let length = InkSegment(before.point.x, before.point.y, place.point.x, place.point.y).length
            let reach = radius + min(before.radius, place.radius)
            // From 1 to 10,000, even for a length that is not a number.
            let steps = Int(max(1, min(10_000, (length / max(reach / 2, 0.05)).rounded(.up))))
            var last = before
            for step in 1...steps {
                let next = step == steps ? place : Place(between: before, place, Float(step) / Float(steps))
                let (wasInside, nowInside) = (isInside(last), isInside(next))
                if wasInside != nowInside {
                    let edge = Self.edge(last, next, isInside)
                    if nowInside {
                        part.append(edge)
                        finish()
                    } else {
                        part = InkCurve()
                        part.append(edge)
                    }
                }
                if step == steps, !nowInside { part.append(next) }
                last = next
            }
        }
        finish()
        if joinsEnds, let first = parts.first, let last = parts.last, parts.count > 1, isClosed,
            first.points.first == points.first, last.points.last == points.last
        {
            parts.removeLast()
            parts[0] = InkCurve(
                points: last.points + first.points.dropFirst(), radii: last.radii + first.radii.dropFirst())
        }
        return parts
    }

    private func place(_ index: Int) -> Place {
        Place(point: points[index], radius: radii[index], phase: phases.isEmpty ? 0 : phases[index])
    }

    private var isClosed: Bool { points.first?.x == points.last?.x && points.first?.y == points.last?.y }

    private mutating func append(_ place: Place) {
        points.append(place.point)
        radii.append(place.radius)
        phases.append(place.phase)
    }

    private struct Place {
        var point: InkPoint
        var radius: Float
        /// The number of stamps before this position.
        var phase: Float

        init(point: InkPoint, radius: Float, phase: Float) {
            (self.point, self.radius, self.phase) = (point, radius, phase)
        }

        init(between a: Place, _ b: Place, _ share: Float) {
            point = InkPoint(between: a.point, b.point, share)
            radius = a.radius + (b.radius - a.radius) * share
            phase = a.phase + (b.phase - a.phase) * share
        }
    }

    /// The position between two others where a test changes.
    private static func edge(_ from: Place, _ to: Place, _ test: (Place) -> Bool) -> Place {
        let first = test(from)
        var (low, high): (Float, Float) = (0, 1)
        for _ in 0..<12 {
            let middle = (low + high) / 2
            if test(Place(between: from, to, middle)) == first { low = middle } else { high = middle }
        }
        return Place(between: from, to, first ? high : low)
    }
}

extension Stroke {
    /// False if the appearance of a point depends on the points before it.
    fileprivate var canBeJoined: Bool {
        dash.isEmpty && texture == nil && taperStart == 0 && taperEnd == 0 && dynamics.widthBySpeed == 0
            && dynamics.opacityBySpeed == 0
    }

    /// A part of the stroke that keeps its appearance: the curve between its samples becomes straight lines, and widths
    /// that depended on the whole stroke become pressures.
    fileprivate func part(_ curve: InkCurve) -> Stroke {
        var (stroke, curve) = (self, curve)
        let opacities = dynamics.opacityByPressure + dynamics.opacityBySpeed
        if taperStart > 0 || taperEnd > 0 || dynamics.widthBySpeed > 0, opacities == 0, tool != .pencil, width > 0 {
            for index in curve.points.indices { curve.points[index].pressure = 2 * curve.radii[index] / width }
            stroke.dynamics = .pressure
            (stroke.taperStart, stroke.taperEnd) = (0, 0)
        }
        // A stroke of straight lines has its own points.
        let keepsAll = smoothing == 0 || dynamics.opacityBySpeed > 0
        if !keepsAll { curve = curve.simplified(tolerance: 0.02, pressure: 0.01) }
        stroke.points = curve.points
        stroke.smoothing = 0
        // The stamps of the remaining part stay in place.
        if let start = curve.phases.first { stroke.texture?.start = start }
        return stroke
    }
}

extension InkSegment {
    fileprivate var length: Float { ((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1)).squareRoot() }
}

extension InkPoint {
    init(between a: InkPoint, _ b: InkPoint, _ share: Float) {
        func mix(_ path: KeyPath<InkPoint, Float>) -> Float {
            a[keyPath: path] + (b[keyPath: path] - a[keyPath: path]) * share
        }
        self.init(
            x: mix(\.x), y: mix(\.y), pressure: mix(\.pressure), tilt: mix(\.tilt), azimuth: mix(\.azimuth),
            time: mix(\.time))
    }
}
