import Foundation

/// Collects the parts of a picture that may be larger than memory in a temporary file.
///
/// Sendable because its file is: parts are written one after the other.
package final class PixelSpool: Sendable {
    package let size: PixelSize
    private let file: SpoolFile
    private var bytesPerRow: Int { 4 * size.width }

    /// - Parameter bands: the rows that will be written. Their space is reserved; rows between them take none.
    package init(size: PixelSize, bands: [Range<Int>]) throws(FileError) {
        self.size = size
        file = try SpoolFile()
        for band in bands {
            try file.reserve(band.lowerBound * 4 * size.width..<band.upperBound * 4 * size.width)
        }
    }

    /// Writes rows of the full width, beginning at `row`.
    package func write(_ part: Pixmap, at row: Int) throws(FileError) {
        precondition(
            part.size.width == size.width && row >= 0 && row + part.size.height <= size.height,
            "rows \(row)..<\(row + part.size.height) of \(part.size.width) px are not in a picture of \(size)")
        // A megabyte at a time: a row may be short, and system calls cost time.
        let count = max(1, min(part.size.height, (1 << 20) / bytesPerRow))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count * bytesPerRow, alignment: 16)
        defer { buffer.deallocate() }
        for top in stride(from: 0, to: part.size.height, by: count) {
            let rows = top..<min(top + count, part.size.height)
            for y in rows {
                let start = (y - top) * bytesPerRow
                part.withRow(y) { buffer[start..<start + bytesPerRow].copyBytes(from: $0) }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(rows.count * bytesPerRow)])
            try file.write(bytes, at: (row + top) * bytesPerRow)
        }
    }

    /// Returns the whole picture after all parts are written.
    package func pixmap(isOpaque: Bool) throws(FileError) -> Pixmap {
        // Rows at the end that were not written must exist too.
        try file.reserve(size.height * bytesPerRow - 1..<size.height * bytesPerRow)
        let memory = try file.map()
        // The pixmap is the only owner of the mapping from here on.
        let address = UInt(bitPattern: memory.baseAddress)
        return Pixmap(
            base: memory.baseAddress!, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque, isSpooled: true
        ) {
            SpoolFile.unmap(address)
        }
    }
}

/// The mapped bytes of a temporary file, which several pictures may share.
package final class SpoolMemory: Sendable {
    /// A number, because a pointer is not Sendable. This object owns the mapping.
    private let address: UInt
    private let count: Int

    package init(_ file: SpoolFile) throws(FileError) {
        let memory = try file.map()
        (address, count) = (UInt(bitPattern: memory.baseAddress), memory.count)
    }

    deinit { SpoolFile.unmap(address) }

    /// A picture in these bytes, rows without gaps.
    ///
    /// - Parameter start: the index of its first byte.
    /// - Returns: nil if it is not within these bytes.
    package func pixmap(at start: Int, size: PixelSize, isOpaque: Bool) -> Pixmap? {
        guard start >= 0, 4 * size.width * size.height <= count - start,
            let base = UnsafeRawPointer(bitPattern: address)
        else { return nil }
        return Pixmap(
            base: base + start, size: size, bytesPerRow: 4 * size.width, isOpaque: isOpaque, isSpooled: true
        ) { withExtendedLifetime(self) {} }
    }
}
