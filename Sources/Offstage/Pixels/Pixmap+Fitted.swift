extension PixelSize {
    /// The largest size of these proportions within a box, and never a larger one than this: rounded to whole px, at
    /// least 1 each.
    public func fitted(into box: PixelSize) -> PixelSize {
        if width <= box.width && height <= box.height { return self }
        func rounded(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
            max(1, (2 * side * numerator + denominator) / (2 * denominator))
        }
        // Compares the two ratios of box to size; the smaller one decides.
        if box.width * height <= box.height * width {
            return PixelSize(width: box.width, height: rounded(height, box.width, width))
        }
        return PixelSize(width: rounded(width, box.height, height), height: box.height)
    }
}

extension Pixmap {
    /// A thumbnail: the picture made to fit into a box, by averaging. A picture that fits is returned as it is.
    ///
    /// Each pixel is the mean of the area that it stands for, premultiplied, in whole numbers and rounded once: the average
    /// colour stays, a transparent edge is not darkened, the same pixels give the same thumbnail. It takes time in proportion
    /// to the picture: call it off the main thread.
    ///
    /// - Parameter box: device px, at least 1 × 1.
    public func fitted(into box: PixelSize) -> Pixmap {
        precondition(box.width > 0 && box.height > 0, "a thumbnail's box has at least 1 × 1 device px")
        let target = size.fitted(into: box)
        if target == size { return self }
        return Pixmap.filled(size: target, isOpaque: isOpaque) { bytes in
            AreaAverage(from: size, to: target).write(self, to: bytes)
        }
    }
}

/// Makes a picture smaller. Lengths are counted in units that divide both grids: along x a source pixel is as long as the
/// target is wide, and a target pixel as the source is wide. A target pixel's weights so add up to the source's area.
private struct AreaAverage {
    let from: PixelSize
    let to: PixelSize

    func write(_ pixmap: Pixmap, to bytes: UnsafeMutableRawBufferPointer) {
        let columns = spans(from.width, to.width)
        var narrow = [UInt32](repeating: 0, count: 4 * to.width)
        var sums = [UInt64](repeating: 0, count: 4 * to.width)
        var (y, room) = (0, from.height)
        for sourceY in 0..<from.height {
            pixmap.withRow(sourceY) { squeeze($0, columns, &narrow) }
            var rest = to.height
            while rest > 0 {
                let weight = min(rest, room)
                for i in sums.indices { sums[i] += UInt64(weight) * UInt64(narrow[i]) }
                rest -= weight
                room -= weight
                if room > 0 { continue }
                flush(
                    &sums, to: UnsafeMutableRawBufferPointer(rebasing: bytes[4 * to.width * y..<4 * to.width * (y + 1)])
                )
                (y, room) = (y + 1, from.height)
            }
        }
    }

    /// One target pixel's share of a source pixel.
    private struct Span {
        var source: Int
        var target: Int
        var weight: UInt32
    }

    private func spans(_ source: Int, _ target: Int) -> [Span] {
        var spans: [Span] = []
        var (x, room) = (0, source)
        for sourceX in 0..<source {
            var rest = target
            while rest > 0 {
                let weight = min(rest, room)
                spans.append(Span(source: 4 * sourceX, target: 4 * x, weight: UInt32(weight)))
                rest -= weight
                room -= weight
                if room == 0 { (x, room) = (x + 1, source) }
            }
        }
        return spans
    }

    /// A source row's weighted sums by target column.
    private func squeeze(_ row: UnsafeRawBufferPointer, _ spans: [Span], _ sums: inout [UInt32]) {
        for i in sums.indices { sums[i] = 0 }
        sums.withUnsafeMutableBufferPointer { sums in
            for span in spans {
                for part in 0..<4 { sums[span.target + part] += span.weight * UInt32(row[span.source + part]) }
            }
        }
    }

    private func flush(_ sums: inout [UInt64], to row: UnsafeMutableRawBufferPointer) {
        let area = UInt64(from.width) * UInt64(from.height)
        for i in sums.indices {
            row[i] = UInt8((sums[i] + area / 2) / area)
            sums[i] = 0
        }
    }
}
