/// The ratio of two px grids over the same area: `numerator` px of the coarser grid are as long as `denominator` px of
/// the finer one.
package struct PixelRatio: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int

    /// - Parameters:
    ///   - scale: device px per CSS px of the coarser grid; up to six decimals are exact.
    ///   - whole: device px per CSS px of the finer grid.
    package init(scale: Double, whole: Int) {
        let steps = 1_000_000
        var (a, b) = (Int((scale * Double(steps)).rounded()), whole * steps)
        let (first, second) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        (numerator, denominator) = (first / a, second / a)
    }

    /// The number of px of the coarser grid that cover a length; a fraction counts as one.
    package func coarser(_ length: Int) -> Int { (length * numerator + denominator - 1) / denominator }
    package func coarser(_ size: PixelSize) -> PixelSize {
        PixelSize(width: coarser(size.width), height: coarser(size.height))
    }

    /// The px of the finer grid that a box of the coarser grid touches.
    package func finer(_ box: PixelBox) -> PixelBox {
        PixelBox(
            left: box.left * denominator / numerator, top: box.top * denominator / numerator,
            right: (box.right * denominator + numerator - 1) / numerator,
            bottom: (box.bottom * denominator + numerator - 1) / numerator)
    }
}

extension Pixmap {
    /// A part of the picture in a coarser grid, by averaging; in a temporary file if the picture is in one. Parts have
    /// the same pixels as the whole picture would have. Takes time in proportion to the pixels: call it off the main
    /// thread.
    ///
    /// - Parameters:
    ///   - box: the part, in the coarser grid.
    ///   - origin: the position of this picture in its own grid.
    package func reduced(
        to box: PixelBox, by ratio: PixelRatio, from origin: PixelBox
    ) throws(FileError) -> Pixmap {
        // The picture may have been cut.
        let right = max(box.left + 1, min(box.right, ratio.coarser(origin.left + size.width)))
        let bottom = max(box.top + 1, min(box.bottom, ratio.coarser(origin.top + size.height)))
        let target = PixelSize(width: right - box.left, height: bottom - box.top)

        func part(_ rows: Range<Int>) -> Pixmap {
            let average = AreaAverage(
                columns: .init(
                    source: ratio.numerator, target: ratio.denominator, range: box.left..<right, origin: origin.left),
                rows: .init(source: ratio.numerator, target: ratio.denominator, range: rows, origin: origin.top))
            return Pixmap.filled(size: PixelSize(width: target.width, height: rows.count), isOpaque: isOpaque) {
                average.write(self, to: $0)
            }
        }
        if !isSpooled { return part(box.top..<bottom) }
        let spool = try PixelSpool(size: target, bands: [0..<target.height])
        let step = max(1, (1 << 20) / target.width)
        for top in stride(from: box.top, to: bottom, by: step) {
            try spool.write(part(top..<min(top + step, bottom)), at: top - box.top)
        }
        return try spool.pixmap(isOpaque: isOpaque)
    }
}
