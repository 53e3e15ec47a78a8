import Foundation

/// A picture that is put together part by part in a temporary file, as it may be larger than memory.
///
/// Sendable as its file is: each part is written before the next one.
package final class PixelSpool: Sendable {
    package let size: PixelSize
    private let file: SpoolFile
    private var bytesPerRow: Int { 4 * size.width }

    /// - Parameter bands: the rows that will be written, for which there is to be room; what lies between takes none.
    package init(size: PixelSize, bands: [Range<Int>]) throws(FileError) {
        self.size = size
        file = try SpoolFile()
        for band in bands {
            try file.reserve(band.lowerBound * 4 * size.width..<band.upperBound * 4 * size.width)
        }
    }

    /// Puts rows of the same width below `row`.
    package func write(_ part: Pixmap, at row: Int) throws(FileError) {
        precondition(
            part.size.width == size.width && row >= 0 && row + part.size.height <= size.height,
            "rows \(row)..<\(row + part.size.height) of \(part.size.width) px are not in a picture of \(size)")
        // A megabyte at a time: a row may be short, and a call into the system is not free.
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

    /// The whole picture, once all is written.
    package func pixmap(isOpaque: Bool) throws(FileError) -> Pixmap {
        // Rows at the end that nobody asked for are there too.
        try file.reserve(size.height * bytesPerRow - 1..<size.height * bytesPerRow)
        let memory = try file.map()
        // The pixmap is the mapping's only owner from here on.
        let address = UInt(bitPattern: memory.baseAddress)
        return Pixmap(
            base: memory.baseAddress!, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque, isSpooled: true
        ) {
            SpoolFile.unmap(address)
        }
    }
}
