import Offstage

/// Which rows of a document are painted in which tile. All in device px.
struct TilePlan: Equatable {
    /// What the boxes cover together: the spool's place in the document.
    let extent: PixelBox
    /// Rows of the document, a tile each, from top to bottom: those that a box needs, and few others.
    let tiles: [Range<Int>]

    /// - Parameters:
    ///   - boxes: of the document; at least one, none of them empty.
    ///   - rows: of a tile at most; a multiple of `step`.
    ///   - step: tiles begin at its multiples.
    init(_ boxes: [PixelBox], rows: Int, step: Int) {
        extent = PixelBox(around: boxes)
        let needed = Self.joined(boxes.map { $0.top..<$0.bottom })
        var tiles: [Range<Int>] = []
        var next = needed.startIndex
        var end = 0
        while next < needed.endIndex {
            let top = max(needed[next].lowerBound, end)
            let start = top / step * step
            // As far as the tile reaches, the last row that is needed.
            while next < needed.endIndex, needed[next].lowerBound < start + rows {
                end = min(needed[next].upperBound, start + rows)
                if end < needed[next].upperBound { break }
                next += 1
            }
            tiles.append(start..<end)
        }
        self.tiles = tiles
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

extension Geometry {
    /// Device rows after which both a whole CSS px and a whole layout px begin, so that a tile's pixels are those of the whole
    /// document; where there are none near, a whole layout px.
    var tileStep: Int {
        let exact = (1...1000).first { count in
            let css = Double(count) / pageZoom
            return abs(css - css.rounded()) < 1e-9
        }
        return (exact ?? 1) * windowScale
    }
}
