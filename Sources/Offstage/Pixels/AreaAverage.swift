/// Scales a picture down: each target pixel is the mean of the area that it covers, premultiplied, computed in integers
/// and rounded once.
struct AreaAverage {
    /// The two grids along one axis. Lengths are in units such that a pixel of either grid is a whole number of units.
    struct Axis {
        /// Units per source pixel; less than `target`.
        let source: Int
        /// Units per target pixel.
        let target: Int
        /// The requested target pixels.
        let range: Range<Int>
        /// The index in the source grid of the picture's first pixel.
        var origin = 0

        /// The picture's pixels below a target pixel, with their weights, which add up to `target`. Beyond the
        /// picture's edges, its last pixels count.
        ///
        /// - Parameter count: the number of the picture's pixels.
        func shares(of pixel: Int, among count: Int) -> [(index: Int, weight: Int)] {
            let (start, end) = (pixel * target, (pixel + 1) * target)
            return (start / source..<(end + source - 1) / source).map { index in
                let weight = min(end, (index + 1) * source) - max(start, index * source)
                return (min(max(index - origin, 0), count - 1), weight)
            }
        }
    }

    let columns: Axis
    let rows: Axis

    /// The weight of a source pixel in a target pixel, with both as offsets in rows of bytes.
    private struct Span {
        var source: Int
        var target: Int
        var weight: UInt32
    }

    /// - Parameter bytes: the memory of the target rows, without gaps.
    func write(_ pixmap: Pixmap, to bytes: UnsafeMutableRawBufferPointer) {
        let width = columns.range.count
        let spans = columns.range.flatMap { x in
            columns.shares(of: x, among: pixmap.size.width).map {
                Span(source: 4 * $0.index, target: 4 * (x - columns.range.lowerBound), weight: UInt32($0.weight))
            }
        }
        let narrow = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 4 * width)
        let sums = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 4 * width)
        defer {
            narrow.deallocate()
            sums.deallocate()
        }
        sums.initialize(repeating: 0)
        // A source row at an edge belongs to two target rows.
        var squeezed: Int?
        for y in rows.range {
            for share in rows.shares(of: y, among: pixmap.size.height) {
                if share.index != squeezed { pixmap.withRow(share.index) { squeeze($0, spans, narrow) } }
                squeezed = share.index
                let weight = UInt64(share.weight)
                var i = 0
                while i < 4 * width {
                    sums[i] += weight * UInt64(narrow[i])
                    i += 1
                }
            }
            flush(sums, to: bytes.baseAddress! + 4 * width * (y - rows.range.lowerBound))
        }
    }

    /// Adds up a source row's weighted pixels for each target column.
    private func squeeze(
        _ row: UnsafeRawBufferPointer, _ spans: [Span], _ sums: UnsafeMutableBufferPointer<UInt32>
    ) {
        sums.initialize(repeating: 0)
        spans.withUnsafeBufferPointer { spans in
            var next = 0
            while next < spans.count {
                let span = spans[next]
                var part = 0
                while part < 4 {
                    sums[span.target + part] += span.weight * UInt32(row[span.source + part])
                    part += 1
                }
                next += 1
            }
        }
    }

    private func flush(_ sums: UnsafeMutableBufferPointer<UInt64>, to row: UnsafeMutableRawPointer) {
        let area = UInt64(columns.target) * UInt64(rows.target)
        var i = 0
        while i < sums.count {
            row.storeBytes(of: UInt8((sums[i] + area / 2) / area), toByteOffset: i, as: UInt8.self)
            sums[i] = 0
            i += 1
        }
    }
}
