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
        /// picture's edges, its outermost pixels are repeated.
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

    /// A source pixel below a target pixel.
    private struct Tap {
        /// The offset in the row, bytes.
        var source: Int
        var weight: Int32
    }

    /// The sums are whole numbers below 2^53, and a quotient of two of them is a whole number only if it is exactly
    /// one: sides of pictures have at most 3,000,000 units. So floating-point numbers, which processors add and divide
    /// four at a time, give the same results as integers.
    ///
    /// - Parameter bytes: the memory of the target rows, without gaps.
    func write(_ pixmap: Pixmap, to bytes: UnsafeMutableRawBufferPointer) {
        let width = columns.range.count
        let taps = columns.range.map { x in
            columns.shares(of: x, among: pixmap.size.width).map { Tap(source: 4 * $0.index, weight: Int32($0.weight)) }
        }
        let ends = taps.reduce(into: [0]) { $0.append($0.last! + $1.count) }
        let narrow = UnsafeMutableBufferPointer<SIMD4<Int32>>.allocate(capacity: width)
        let sums = UnsafeMutableBufferPointer<SIMD4<Double>>.allocate(capacity: width)
        defer {
            narrow.deallocate()
            sums.deallocate()
        }
        narrow.initialize(repeating: .zero)
        sums.initialize(repeating: .zero)
        let all = Array(taps.joined())
        // A source row at an edge belongs to two target rows.
        var squeezed: Int?
        for y in rows.range {
            for share in rows.shares(of: y, among: pixmap.size.height) {
                if share.index != squeezed { pixmap.withRow(share.index) { squeeze($0, all, ends, narrow) } }
                squeezed = share.index
                let weight = Double(share.weight)
                for x in 0..<width { sums[x] += SIMD4<Double>(narrow[x]) * weight }
            }
            flush(sums, to: bytes.baseAddress! + 4 * width * (y - rows.range.lowerBound))
        }
    }

    /// Adds up a source row's weighted pixels for each target column.
    private func squeeze(
        _ row: UnsafeRawBufferPointer, _ taps: [Tap], _ ends: [Int], _ sums: UnsafeMutableBufferPointer<SIMD4<Int32>>
    ) {
        taps.withUnsafeBufferPointer { taps in
            for x in sums.indices {
                var sum = SIMD4<Int32>.zero
                for tap in taps[ends[x]..<ends[x + 1]] {
                    let pixel = row.loadUnaligned(fromByteOffset: tap.source, as: SIMD4<UInt8>.self)
                    sum &+= SIMD4<Int32>(truncatingIfNeeded: pixel) &* tap.weight
                }
                sums[x] = sum
            }
        }
    }

    private func flush(_ sums: UnsafeMutableBufferPointer<SIMD4<Double>>, to row: UnsafeMutableRawPointer) {
        let area = columns.target * rows.target
        for x in sums.indices {
            let mean = (sums[x] + Double(area / 2)) / Double(area)
            let pixel = SIMD4<UInt8>(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z), UInt8(mean.w))
            row.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
            sums[x] = .zero
        }
    }
}
