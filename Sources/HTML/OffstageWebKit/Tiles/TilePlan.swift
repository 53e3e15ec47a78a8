import Offstage

/// The division of a document's rows into tiles. All lengths are in px as WebKit paints them, device px at the window's scale.
struct TilePlan: Equatable {
    struct Tile: Equatable {
        /// The rows to take from the snapshot.
        var rows: Range<Int>
        /// The rows that the snapshot covers.
        var painted: Range<Int>
    }

    /// The smallest box that contains all boxes. The spool covers this part of the document.
    let extent: PixelBox
    /// From top to bottom. They cover the rows that a box needs, and rows in between that fall into the same tile.
    private(set) var tiles: [Tile] = []

    /// CSS px that are painted above and below a tile and cut off, because blurs and shadows depend on their surroundings.
    private static let margin = 100

    /// - Parameter boxes: Boxes in the document. At least one, and none empty.
    init(_ boxes: [PixelBox], _ geometry: Geometry, _ limits: SnapshotLimits) {
        extent = PixelBox(around: boxes)
        let (step, viewport) = (geometry.windowScale, geometry.resolvedViewportHeight * geometry.windowScale)
        let margin = Self.margin * geometry.windowScale
        // A snapshot is never smaller than the viewport.
        let most = max(viewport, min(limits.tilePixels / extent.right + 2 * margin, SnapshotLimits.smoothRows))
        let rows = max(1, (min(limits.side, most) - 2 * margin) / step) * step
        let needed = Self.joined(boxes.map { $0.top..<$0.bottom })
        var next = needed.startIndex
        var end = 0
        while next < needed.endIndex {
            let start = max(needed[next].lowerBound, end)
            // Ends the tile at the last needed row that it can reach.
            while next < needed.endIndex, needed[next].lowerBound < start + rows {
                end = min(needed[next].upperBound, start + rows)
                if end < needed[next].upperBound { break }
                next += 1
            }
            // The document is not moved for a tile inside the viewport: backgrounds that are attached to the viewport
            // exist only there.
            let isInViewport = start < viewport && end + margin <= limits.side
            let top = isInViewport ? 0 : max(0, start - margin) / step * step
            tiles.append(Tile(rows: start..<end, painted: top..<end + margin))
        }
    }

    /// The same rows as sorted ranges that neither overlap nor touch.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
