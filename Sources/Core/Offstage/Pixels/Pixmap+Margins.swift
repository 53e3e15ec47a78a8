/// A picture that was trimmed and padded as requested.
struct FinishedPicture {
    let picture: Picture
    /// The position of its corner in the drawn picture, device px; less than 0 for padding.
    let left: Int
    let top: Int

    /// The content of the finished picture.
    ///
    /// - Parameter drawn: the content of the drawn picture.
    func content(_ drawn: PictureContent, scale: Double) -> PictureContent {
        drawn.moved(left: left, top: top, size: picture.size, scale: scale)
    }
}

extension Picture {
    /// Trims and pads the picture as requested.
    ///
    /// - Parameters:
    ///   - scale: device px per CSS px.
    ///   - background: the colour of padding if the request names none.
    func finished(
        with margins: Margins, scale: Double, background: Color
    ) throws(DrawingError) -> FinishedPicture {
        switch self {
        case .pixels(let pixmap):
            do throws(FileError) {
                return try pixmap.finished(with: margins, scale: scale, background: background)
            } catch { throw .spoolFailed(error) }
        case .vector(let vector):
            do throws(EncodingError) {
                let (picture, left, top) = try vector.finished(with: margins)
                return FinishedPicture(picture: .vector(picture), left: left, top: top)
            } catch { throw .encodingFailed(error) }
        }
    }
}

extension Pixmap {
    /// Trims and pads the picture as requested. Returns it unchanged if there is nothing to do.
    ///
    /// - Parameter background: the colour of padding if the request names none.
    /// - Throws: `FileError` if the picture is in a temporary file and the disk has no room for another one.
    func finished(with margins: Margins, scale: Double, background: Color = .white) throws(FileError) -> FinishedPicture
    {
        let box = margins.isTrimmed ? contentBox() : PixelBox(left: 0, top: 0, right: size.width, bottom: size.height)
        let trimmed = cropped(to: box)
        let padding = Int((Double(margins.padding) * scale).rounded())
        let padded = padding > 0 ? try trimmed.padded(by: padding, with: margins.color ?? background) : trimmed
        return FinishedPicture(
            picture: .pixels(padded),
            left: box.left - padding, top: box.top - padding)
    }

    /// A part of the picture, which shares its memory. The box must be within the picture, and not empty.
    public func cropped(to box: PixelBox) -> Pixmap {
        if box.size == size { return self }
        precondition(
            !box.isEmpty && box.left >= 0 && box.top >= 0 && box.right <= size.width && box.bottom <= size.height,
            "a part of a picture must be within it and not empty")
        return Pixmap(part: box, of: self)
    }

    /// The smallest box with all pixels that differ from the top left one; the whole picture if no pixel differs.
    package func contentBox() -> PixelBox {
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

    /// A copy with `count` device px of a colour added on every side; in a temporary file if the picture is in one.
    func padded(by count: Int, with color: Color) throws(FileError) -> Pixmap {
        let padded = PixelSize(width: size.width + 2 * count, height: size.height + 2 * count)
        let isOpaque = isOpaque && color.isOpaque
        if !isSpooled {
            return Pixmap.filled(size: padded, isOpaque: isOpaque) { memory in
                fill(memory, padded: count, with: color, rows: 0..<padded.height)
            }
        }
        let spool = try PixelSpool(size: padded, bands: [0..<padded.height])
        let step = max(1, (4 << 20) / (4 * padded.width))
        for top in stride(from: 0, to: padded.height, by: step) {
            let rows = top..<min(top + step, padded.height)
            let part = Pixmap.filled(size: PixelSize(width: padded.width, height: rows.count), isOpaque: isOpaque) {
                fill($0, padded: count, with: color, rows: rows)
            }
            try spool.write(part, at: top)
        }
        return try spool.pixmap(isOpaque: isOpaque)
    }

    /// Writes some rows of the padded picture.
    private func fill(
        _ memory: UnsafeMutableRawBufferPointer, padded count: Int, with color: Color, rows: Range<Int>
    ) {
        memory.bindMemory(to: UInt32.self).update(repeating: color.premultipliedBGRA)
        for y in rows where y >= count && y < count + size.height {
            let start = (y - rows.lowerBound) * (size.width + 2 * count) + count
            withRow(y - count) { memory[4 * start..<4 * (start + size.width)].copyBytes(from: $0) }
        }
    }
}

extension Color {
    /// The colour as a pixel in memory on a little-endian machine.
    var premultipliedBGRA: UInt32 {
        func byte(_ value: Double) -> UInt32 { UInt32((min(max(value, 0), 1) * 255).rounded()) }
        return byte(alpha) << 24 | byte(red * alpha) << 16 | byte(green * alpha) << 8 | byte(blue * alpha)
    }
}
