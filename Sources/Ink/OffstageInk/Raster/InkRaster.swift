import COffstageInk
import Offstage

/// Draws strokes into pixels, one coverage mask for each stroke, so that a stroke never darkens itself.
///
/// A pixel depends only on the strokes and its position on the page: any part of a page drawn separately equals the
/// same part of the whole. Use a raster from one thread at a time; it is not `Sendable`.
public final class InkRaster {
    private let scratch: OpaquePointer?

    /// Makes a raster. It allocates memory only when it draws.
    public init() { scratch = offstage_ink_scratch_new() }

    deinit { offstage_ink_scratch_free(scratch) }

    /// A part of a page's picture in memory.
    public struct Target {
        /// The first byte of the top row: premultiplied BGRA.
        public var pixels: UnsafeMutableRawPointer
        public var bytesPerRow: Int
        /// The part's rectangle, in device px of the page's picture.
        public var part: InkPart
        /// Device px per point of the page.
        public var scale: Double
        /// True if highlighters lighten.
        public var isDark: Bool

        /// Describes a part of a page's picture.
        ///
        /// - Parameters:
        ///   - pixels: the first byte of the part's top row: premultiplied BGRA. It must stay valid while drawing.
        ///   - bytesPerRow: at least `4 * part.width`.
        ///   - part: the rectangle, in device px of the page's picture.
        ///   - scale: device px per point of the page.
        ///   - isDark: true for dark paper. Default false.
        public init(
            pixels: UnsafeMutableRawPointer, bytesPerRow: Int, part: InkPart, scale: Double, isDark: Bool = false
        ) {
            (self.pixels, self.bytesPerRow, self.part) = (pixels, bytesPerRow, part)
            (self.scale, self.isDark) = (scale, isDark)
        }

        var c: offstage_ink_target {
            offstage_ink_target(
                pixels: pixels.assumingMemoryBound(to: UInt8.self), bytes_per_row: bytesPerRow,
                x: Int32(clamping: part.x),
                y: Int32(clamping: part.y), width: Int32(clamping: part.width), height: Int32(clamping: part.height),
                scale: scale, is_dark: isDark)
        }
    }

    /// Draws the part of a stroke that is inside the target.
    ///
    /// - Returns: false if memory is short; the target may then lack the stroke.
    @discardableResult
    public func draw(_ stroke: Stroke, into target: Target) -> Bool { draw(stroke, extra: [], into: target) }

    /// Draws a stroke whose end is predicted.
    ///
    /// - Parameter extra: points after those of the stroke that are not part of it.
    /// - Returns: false if memory is short; the target may then lack the stroke.
    @discardableResult
    public func draw(_ stroke: Stroke, extra: [InkPoint], into target: Target) -> Bool {
        guard let scratch else { return false }
        var (style, target) = (stroke.style, target.c)
        let points = extra.isEmpty ? stroke.points : stroke.points + extra
        return stroke.withTexture { texture, shape in
            points.withC { offstage_ink_draw(scratch, &target, &style, texture, shape, $0, $1) }
        }
    }

    /// Fills the target with a page's paper. A background in another file is white.
    public func drawPaper(of page: InkPage, into target: Target) {
        guard let scratch else { return }
        var (head, target) = (InkRecords.head(of: page), target.c)
        offstage_ink_draw_paper(scratch, &target, &head)
    }

    /// The centre line as drawn: a circle at each position. Cones join neighbouring circles.
    func nodes(of stroke: Stroke, scale: Double) -> [InkNode] {
        withNodes(of: stroke, scale: scale) { nodes, _ in
            nodes.map { InkNode(x: $0.x, y: $0.y, radius: $0.radius, opacity: $0.opacity) }
        } ?? []
    }

    /// Calls `body` with the nodes of a centre line, and their positions on the segments between drawable points.
    ///
    /// - Returns: nil for no nodes.
    func withNodes<R>(
        of stroke: Stroke, scale: Double,
        _ body: (UnsafeBufferPointer<offstage_ink_node>, UnsafeBufferPointer<offstage_ink_share>) -> R
    ) -> R? {
        guard let scratch else { return nil }
        var (style, count) = (stroke.style, 0)
        return stroke.points.withC {
            guard let nodes = offstage_ink_nodes(scratch, &style, $0, $1, scale, &count) else { return nil }
            return body(
                UnsafeBufferPointer(start: nodes, count: count),
                UnsafeBufferPointer(start: offstage_ink_shares(scratch), count: count))
        }
    }
}

extension InkRaster {
    /// The number of stamps before each point of a stroke's centre line; empty for a stroke without a texture.
    func phases(of stroke: Stroke, at shares: [offstage_ink_share]) -> [Float] {
        guard let scratch, var texture = stroke.texture?.c, !shares.isEmpty else { return [] }
        var style = stroke.style
        var phases = [Float](repeating: 0, count: shares.count)
        let isComplete = stroke.points.withC {
            offstage_ink_phases(scratch, &style, &texture, $0, $1, shares, shares.count, &phases)
        }
        return isComplete ? phases : []
    }
}

/// A position on a stroke's centre line, in points of the page.
struct InkNode: Hashable {
    var x: Float
    var y: Float
    var radius: Float
    var opacity: Float
}

/// A rectangle of whole device px.
public struct InkPart: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - x: device px of the left edge.
    ///   - y: device px of the upper edge.
    ///   - width: device px.
    ///   - height: device px.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A rectangle of a page, points.
public struct InkBox: Sendable, Hashable {
    public var left: Float
    public var top: Float
    public var right: Float
    public var bottom: Float

    /// Makes a rectangle.
    public init(left: Float, top: Float, right: Float, bottom: Float) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// True if the two rectangles overlap or touch.
    public func intersects(_ other: InkBox) -> Bool {
        left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom
    }

    /// The smallest rectangle that contains both.
    public func union(_ other: InkBox) -> InkBox {
        InkBox(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// A larger rectangle.
    ///
    /// - Parameter margin: points, on each side.
    public func grown(by margin: Float) -> InkBox {
        InkBox(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    /// The device px that the rectangle touches, plus one on each side for soft edges.
    ///
    /// - Parameter scale: device px per point.
    public func part(scale: Double) -> InkPart {
        // NaN has no position.
        func pixel(_ value: Float) -> Double { value.isNaN ? 0 : min(max(Double(value) * scale, -1e8), 1e8) }
        let (x, y) = (Int(pixel(left).rounded(.down)) - 1, Int(pixel(top).rounded(.down)) - 1)
        return InkPart(
            x: x, y: y, width: max(0, Int(pixel(right).rounded(.up)) + 1 - x),
            height: max(0, Int(pixel(bottom).rounded(.up)) + 1 - y))
    }
}

extension Stroke {
    /// The bounds of all pixels that the stroke can touch; nil for a stroke without points.
    public var bounds: InkBox? { bounds(from: 0) }

    /// The bounds of the area that changes when the points from an index on are added.
    public func bounds(from first: Int) -> InkBox? {
        var style = style
        let box = withTexture { texture, _ in points.withC { offstage_ink_bounds(&style, texture, $0, first, $1) } }
        return box.left <= box.right ? InkBox(left: box.left, top: box.top, right: box.right, bottom: box.bottom) : nil
    }
}
