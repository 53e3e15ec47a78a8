extension Pixmap {
    /// The picture with its edges as the request wants them; itself where there is nothing to do.
    ///
    /// - Parameter background: the padding's colour where the request names none.
    func finished(with margins: Margins, scale: Double, background: Color) -> Pixmap {
        let trimmed = margins.isTrimmed ? cropped(to: contentBox()) : self
        let padding = Int((Double(margins.padding) * scale).rounded())
        return padding > 0 ? trimmed.padded(by: padding, with: margins.color ?? background) : trimmed
    }

    /// A part of the picture, in the same memory. The box lies within it and is not empty.
    public func cropped(to box: PixelBox) -> Pixmap {
        if box.size == size { return self }
        precondition(
            !box.isEmpty && box.left >= 0 && box.top >= 0 && box.right <= size.width && box.bottom <= size.height)
        return Pixmap(part: box, of: self)
    }

    /// The smallest box with all pixels that differ from the top left one; the whole picture where none does.
    func contentBox() -> PixelBox {
        let first = withRow(0) { $0.load(as: UInt32.self) }
        var box = PixelBox(left: size.width, top: size.height, right: 0, bottom: 0)
        for y in 0..<size.height {
            withRow(y) { row in
                let pixels = row.assumingMemoryBound(to: UInt32.self)
                guard let left = pixels.firstIndex(where: { $0 != first }) else { return }
                let right = pixels.lastIndex { $0 != first }! + 1
                box.left = min(box.left, left)
                box.right = max(box.right, right)
                box.top = min(box.top, y)
                box.bottom = y + 1
            }
        }
        return box.isEmpty ? PixelBox(left: 0, top: 0, right: size.width, bottom: size.height) : box
    }

    /// A copy with `count` device px of a colour on every side.
    func padded(by count: Int, with color: Color) -> Pixmap {
        let padded = PixelSize(width: size.width + 2 * count, height: size.height + 2 * count)
        return Pixmap.filled(size: padded, isOpaque: isOpaque && color.isOpaque) { memory in
            let pixels = memory.bindMemory(to: UInt32.self)
            pixels.update(repeating: color.premultipliedBGRA)
            for y in 0..<size.height {
                let start = (y + count) * padded.width + count
                withRow(y) { row in
                    memory[4 * start..<4 * (start + size.width)].copyBytes(from: row)
                }
            }
        }
    }
}

extension Color {
    /// As a pixel in memory on a little-endian machine.
    var premultipliedBGRA: UInt32 {
        func byte(_ value: Double) -> UInt32 { UInt32((min(max(value, 0), 1) * 255).rounded()) }
        return byte(alpha) << 24 | byte(red * alpha) << 16 | byte(green * alpha) << 8 | byte(blue * alpha)
    }
}
