import Offstage

/// Which rows of a document are painted in which tile. All in px of what WebKit paints.
struct TilePlan: Equatable {
    struct Tile: Equatable {
        /// What is taken from the snapshot.
        var rows: Range<Int>
        /// What the snapshot is of.
        var painted: Range<Int>
    }

    /// What the boxes cover together: the spool's place in the document.
    let extent: PixelBox
    /// From top to bottom: the rows that a box needs, and those between that fall into the same tile.
    private(set) var tiles: [Tile] = []

    /// CSS px that are painted above and below a tile and cut off: blurs and shadows take in what is around them.
    private static let margin = 100

    /// - Parameter boxes: of the document; at least one, none of them empty.
    init(_ boxes: [PixelBox], _ geometry: Geometry, _ limits: SnapshotLimits) {
        extent = PixelBox(around: boxes)
        let (step, viewport) = (geometry.windowScale, geometry.resolvedViewportHeight * geometry.windowScale)
        let margin = Self.margin * geometry.windowScale
        // No snapshot is smaller than the viewport.
        let most = max(viewport, min(limits.tilePixels / extent.right + 2 * margin, SnapshotLimits.smoothRows))
        let rows = max(1, (min(limits.side, most) - 2 * margin) / step) * step
        let needed = Self.joined(boxes.map { $0.top..<$0.bottom })
        var next = needed.startIndex
        var end = 0
        while next < needed.endIndex {
            let start = max(needed[next].lowerBound, end)
            // As far as the tile reaches, the last row that is needed.
            while next < needed.endIndex, needed[next].lowerBound < start + rows {
                end = min(needed[next].upperBound, start + rows)
                if end < needed[next].upperBound { break }
                next += 1
            }
            // Within the viewport the document is not moved: backgrounds that are attached to that are only there.
            let isInViewport = start < viewport && end + margin <= limits.side
            let top = isInViewport ? 0 : max(0, start - margin) / step * step
            tiles.append(Tile(rows: start..<end, painted: top..<end + margin))
        }
    }

    /// The same rows in ranges that neither overlap nor touch, in order.
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
