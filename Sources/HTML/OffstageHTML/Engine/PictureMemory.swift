import COffstageWire
import Foundation
import Offstage
import OffstageWorkers

/// The pixels of an answer: in memory that nobody can change any more, or, for pictures that may be larger than memory,
/// in a temporary file.
package enum PictureMemory {
    /// A descriptor for the host, and a description of its file.
    package struct Written: ~Copyable {
        package let file: OwnedDescriptor
        package let count: Int
        package let isFile: Bool
    }

    /// Writes pixels, rows without gaps.
    ///
    /// - Returns: nil for no pictures.
    package static func written(_ pixmaps: [Pixmap]) throws(DrawingError) -> Written? {
        let count = pixmaps.reduce(0) { $0 + 4 * $1.size.width * $1.size.height }
        if count == 0 { return nil }
        if pixmaps.contains(where: \.isSpooled) { return try spooled(pixmaps, count) }
        let file = OwnedDescriptor(offstage_wire_room(count))
        guard file.number >= 0,
            let base = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.number, 0),
            base != MAP_FAILED
        else { throw .engineFailed("cannot allocate memory for the picture: \(String(cString: strerror(errno)))") }
        var place = base
        for pixmap in pixmaps {
            for y in 0..<pixmap.size.height {
                pixmap.withRow(y) { row in
                    place.copyMemory(from: row.baseAddress!, byteCount: row.count)
                    place += row.count
                }
            }
        }
        munmap(base, count)
        guard offstage_wire_close(file.number, count) == 0 else {
            throw .engineFailed("the picture's memory cannot be sealed: \(String(cString: strerror(errno)))")
        }
        return Written(file: file, count: count, isFile: false)
    }

    private static func spooled(_ pixmaps: [Pixmap], _ count: Int) throws(DrawingError) -> Written {
        do throws(FileError) {
            let spool = try SpoolFile()
            for pixmap in pixmaps {
                for y in 0..<pixmap.size.height {
                    try pixmap.withRow(y) { row throws(FileError) in try spool.append(row) }
                }
            }
            return Written(file: OwnedDescriptor(dup(spool.descriptor)), count: count, isFile: true)
        } catch { throw .spoolFailed(error) }
    }

    /// Finds the pixels in a file that a worker sent.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - isFile: true for a temporary file. It is copied, because the worker could still change it.
    /// - Returns: nil if the file is neither sealed memory nor a temporary file, or if it is larger than the pictures of
    ///   any drawing.
    static func reader(
        of file: WorkerFileEnd, count: Int, isFile: Bool
    ) throws(FileError) -> ((HTMLAnswer.Pixels) -> Pixmap?)? {
        guard count <= 4 * SnapshotLimits.tiledPixelLimit else { return nil }
        if isFile { return try spoolReader(of: file, count: count) }
        guard let memory = file.memory(count: count) else { return nil }
        return { pixels in
            guard pixels.isWithin(count) else { return nil }
            return Pixmap(
                base: memory.base + pixels.start, size: pixels.size, bytesPerRow: 4 * pixels.size.width,
                isOpaque: pixels.isOpaque
            ) { withExtendedLifetime(memory) {} }
        }
    }

    private static func spoolReader(
        of file: WorkerFileEnd, count: Int
    ) throws(FileError) -> ((HTMLAnswer.Pixels) -> Pixmap?)? {
        let spool = try SpoolFile()
        try spool.reserve(0..<count)
        let step = 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while offset < count {
            let read = pread(file.number, buffer.baseAddress, min(step, count - offset), off_t(offset))
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else { return nil }
            try spool.write(UnsafeRawBufferPointer(rebasing: buffer[..<read]), at: offset)
            offset += read
        }
        let memory = try SpoolMemory(spool)
        return { pixels in
            guard pixels.isWithin(count) else { return nil }
            return memory.pixmap(at: pixels.start, size: pixels.size, isOpaque: pixels.isOpaque)
        }
    }
}

extension HTMLAnswer.Pixels {
    /// True if the picture has pixels and lies within this many bytes.
    fileprivate func isWithin(_ count: Int) -> Bool {
        guard size.width > 0, size.height > 0, start >= 0, start < count, start % 4 == 0 else { return false }
        // Use division, which cannot overflow.
        return size.height <= (count - start) / 4 / size.width && size.width <= count
    }
}
