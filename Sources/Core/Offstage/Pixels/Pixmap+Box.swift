/// A picture that was fitted into a box.
struct BoxedPixmap {
    let pixmap: Pixmap
    /// The factors that the picture was scaled by.
    let across: Double
    let down: Double
    /// The position of the scaled picture's corner in the box, in device px; negative if a part was cut off.
    let left: Int
    let top: Int

    /// The content of the picture in the box.
    ///
    /// - Parameter whole: the content of the picture as it was drawn.
    func content(_ whole: PictureContent, scale: Double) -> PictureContent {
        var scaled = whole
        for index in scaled.areas.indices {
            scaled.areas[index].x *= across
            scaled.areas[index].width *= across
            scaled.areas[index].y *= down
            scaled.areas[index].height *= down
        }
        return scaled.moved(left: -left, top: -top, size: pixmap.size, scale: scale)
    }
}

extension Pixmap {
    /// The picture in a box. It is scaled down by averaging, and enlarged only for `fill`. Takes time in proportion to
    /// the pixels.
    ///
    /// - Parameters:
    ///   - scale: device px per CSS px.
    ///   - background: the colour of the rest of the box, if the picture does not cover it.
    func fitted(into box: PictureBox, scale: Double, background: Color) -> BoxedPixmap {
        let target = box.size(scale: scale)
        let inner: PixelSize =
            switch box.fit {
            case .inside, .contain: size.fitted(into: target)
            case .cover: size.covering(target)
            case .fill: target
            }
        let scaled = stretched(to: inner)
        let frame = box.fit == .inside ? inner : target
        let left = Int((box.x * Double(frame.width - inner.width)).rounded(.down))
        let top = Int((box.y * Double(frame.height - inner.height)).rounded(.down))
        return BoxedPixmap(
            pixmap: scaled.framed(frame, left: left, top: top, background),
            across: Double(inner.width) / Double(size.width), down: Double(inner.height) / Double(size.height),
            left: left, top: top)
    }

    /// - Parameter target: device px.
    private func stretched(to target: PixelSize) -> Pixmap {
        if target == size { return self }
        return Pixmap.filled(size: target, isOpaque: isOpaque) { bytes in
            AreaAverage(
                columns: .init(source: target.width, target: size.width, range: 0..<target.width),
                rows: .init(source: target.height, target: size.height, range: 0..<target.height)
            ).write(self, to: bytes)
        }
    }

    /// Places the picture at a position in a frame. Anything outside the frame is cut off.
    private func framed(_ frame: PixelSize, left: Int, top: Int, _ background: Color) -> Pixmap {
        if frame == size { return self }
        let part = cropped(
            to: PixelBox(
                left: max(0, -left), top: max(0, -top), right: min(size.width, frame.width - left),
                bottom: min(size.height, frame.height - top)))
        if part.size == frame { return part }
        return Pixmap.filled(size: frame, isOpaque: isOpaque && background.isOpaque) { memory in
            memory.bindMemory(to: UInt32.self).update(repeating: background.premultipliedBGRA)
            for y in 0..<part.size.height {
                let start = 4 * ((y + max(0, top)) * frame.width + max(0, left))
                part.withRow(y) { memory[start..<start + $0.count].copyBytes(from: $0) }
            }
        }
    }
}

extension PixelSize {
    /// The smallest size with these proportions that covers a box, but not larger than this one, except for a rounded px.
    fileprivate func covering(_ box: PixelSize) -> PixelSize {
        let factor = max(Double(box.width) / Double(width), Double(box.height) / Double(height))
        if factor >= 1 { return PixelSize(width: max(width, 1), height: max(height, 1)) }
        return PixelSize(
            width: max(box.width, Int((Double(width) * factor).rounded())),
            height: max(box.height, Int((Double(height) * factor).rounded())))
    }
}
