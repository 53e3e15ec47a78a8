/// Makes a picture smaller: each target pixel is the mean of the area that it covers, premultiplied, in whole numbers and rounded
/// once.
struct AreaAverage {
    /// The two grids along one side. Lengths are counted in units of which a pixel of either grid has a whole number.
    struct Axis {
        /// Units of a source pixel; less than `target`.
        let source: Int
        /// Units of a target pixel.
        let target: Int
        /// The target pixels wanted.
        let range: Range<Int>
        /// The source grid's pixel with which the picture begins.
        var origin = 0

        /// The picture's pixels below a target pixel, with their shares, which add up to `target`. Beyond its edges the picture goes on
        /// as it ends.
        ///
        /// - Parameter count: of the picture's pixels.
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

    /// One target pixel's share of a source pixel, as places in rows of bytes.
    private struct Span {
        var source: Int
        var target: Int
        var weight: UInt32
    }

    /// - Parameter bytes: of the target rows, one after the other.
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

    /// A source row's weighted sums by target column.
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
