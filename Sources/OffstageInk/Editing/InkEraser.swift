/// Erases strokes along a line.
public enum InkEraser: String, Sendable, Hashable, Codable, CaseIterable {
    /// Cuts out what it touches; what is left of a stroke becomes strokes of its own.
    case part
    /// Removes each stroke that it touches.
    case stroke
    /// As `stroke`, for highlighters alone.
    case highlighter

    /// Erases from a page, between two places of the eraser.
    ///
    /// - Parameters:
    ///   - from: the eraser's last place, points of the page.
    ///   - to: its new place, points of the page.
    ///   - radius: of the eraser, points.
    ///   - page: from 0. Nothing happens for a page that does not exist.
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
        var changed: InkBox?
        for (layer, boxes) in editor.boxes(ofPage: page).enumerated() {
            // From the top, so that the places below stay valid.
            for index in boxes.indices.reversed() {
                guard let bounds = boxes[index], bounds.intersects(box),
                    let stroke = editor.ink.pages[page].layers[layer].items[index].stroke,
                    self != .highlighter || stroke.tool == .highlighter, let left = remains(of: stroke, path, radius)
                else { continue }
                changed = changed?.union(bounds) ?? bounds
                editor.replace(InkPlace(page: page, layer: layer, index: index), with: left, at: time)
            }
        }
        return changed
    }

    /// - Returns: what is left of a stroke; nil if the eraser does not touch it.
    private func remains(of stroke: Stroke, _ path: InkSegment, _ radius: Float) -> [Stroke]? {
        let touched = stroke.touchedSegments(path, radius)
        if touched.isEmpty { return nil }
        return self == .part ? stroke.cut(path, radius) : []
    }
}

/// A straight line between two places of a page, points.
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

extension Stroke {
    /// The segments that a line of some radius touches, by the index of their first points. A dot is segment 0.
    func touchedSegments(_ path: InkSegment, _ radius: Float) -> [Int] {
        let reach = radius + width / 2
        if points.count == 1 {
            return path.distance(x: points[0].x, y: points[0].y) <= reach ? [0] : []
        }
        return points.indices.dropLast().filter { index in
            let segment = InkSegment(points[index].x, points[index].y, points[index + 1].x, points[index + 1].y)
            return path.distance(to: segment) <= reach
        }
    }

    /// The rest of a stroke after a line of some radius has been cut out. Ends are made where the line's edge crosses the stroke.
    func cut(_ path: InkSegment, _ radius: Float) -> [Stroke] {
        var parts: [[InkPoint]] = []
        var part: [InkPoint] = []
        let reach = radius + width / 2
        func isInside(_ point: InkPoint) -> Bool { path.distance(x: point.x, y: point.y) <= reach }
        func finish() {
            if part.count > 1 { parts.append(part) }
            part = []
        }
        for (index, point) in points.enumerated() {
            guard index > 0 else {
                if !isInside(point) { part.append(point) }
                continue
            }
            // Fine enough that no gap is missed: half of the eraser at a time.
            let before = points[index - 1]
            let length = InkSegment(before.x, before.y, point.x, point.y).length
            // From 1 to 10,000 also for a length that is not a number.
            let steps = Int(max(1, min(10_000, (length / max(reach / 2, 0.05)).rounded(.up))))
            var last = before
            for step in 1...steps {
                let next = step == steps ? point : InkPoint(between: before, point, Float(step) / Float(steps))
                let (wasInside, nowInside) = (isInside(last), isInside(next))
                if wasInside != nowInside {
                    let edge = edge(last, next, isInside)
                    if nowInside {
                        part.append(edge)
                        finish()
                    } else {
                        part = [edge]
                    }
                }
                if step == steps, !nowInside { part.append(next) }
                last = next
            }
        }
        finish()
        return parts.map { points in
            var stroke = self
            stroke.points = points
            return stroke
        }
    }

    /// The place between two points where a test changes.
    private func edge(_ from: InkPoint, _ to: InkPoint, _ test: (InkPoint) -> Bool) -> InkPoint {
        let first = test(from)
        var (low, high): (Float, Float) = (0, 1)
        for _ in 0..<12 {
            let middle = (low + high) / 2
            if test(InkPoint(between: from, to, middle)) == first { low = middle } else { high = middle }
        }
        return InkPoint(between: from, to, first ? high : low)
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
