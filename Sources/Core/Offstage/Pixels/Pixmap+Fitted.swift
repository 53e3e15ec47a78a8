extension PixelSize {
    /// The largest size with these proportions that fits into a box, but not larger than this one. Rounded to whole px,
    /// at least 1 each.
    public func fitted(into box: PixelSize) -> PixelSize {
        if width <= box.width && height <= box.height { return self }
        func rounded(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
            max(1, (2 * side * numerator + denominator) / (2 * denominator))
        }
        // Compare the ratios of box to size; the smaller one decides.
        if box.width * height <= box.height * width {
            return PixelSize(width: box.width, height: rounded(height, box.width, width))
        }
        return PixelSize(width: rounded(width, box.height, height), height: box.height)
    }
}

extension Pixmap {
    /// A thumbnail: the picture scaled down to fit into a box, by averaging. A picture that fits is returned unchanged.
    ///
    /// Each pixel is the mean of the area that it covers, premultiplied, computed in integers and rounded once. So the
    /// average colour stays the same, transparent edges are not darkened, and the same pixels give the same thumbnail.
    /// Takes time in proportion to the picture: call it off the main thread.
    ///
    /// - Parameter box: device px, at least 1 × 1.
    public func fitted(into box: PixelSize) -> Pixmap {
        precondition(box.width > 0 && box.height > 0, "a thumbnail's box has at least 1 × 1 device px")
        let target = size.fitted(into: box)
        if target == size { return self }
        return Pixmap.filled(size: target, isOpaque: isOpaque) { bytes in
            AreaAverage(
                columns: .init(source: target.width, target: size.width, range: 0..<target.width),
                rows: .init(source: target.height, target: size.height, range: 0..<target.height)
            ).write(self, to: bytes)
        }
    }
}
