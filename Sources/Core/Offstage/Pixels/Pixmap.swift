import Foundation

/// Finished pixels: premultiplied BGRA in memory order (cairo's ARGB32 on a little-endian machine), top row first.
///
/// It wraps the memory that the engine painted into, without a copy, and releases it with the last reference.
///
/// `@unchecked Sendable` because nothing writes to the memory after `init` (the caller guarantees this; WebKit's
/// snapshots are even mapped read-only), and `release` is called once, on the thread that drops the last reference.
public final class Pixmap: @unchecked Sendable {
    /// Device px.
    public let size: PixelSize
    /// Bytes from the start of a row to the start of the next one; at least `4 * size.width`.
    public let bytesPerRow: Int
    /// True if every pixel's alpha is 255, so an encoder may omit alpha.
    public let isOpaque: Bool

    /// True if the memory belongs to a temporary file: it is read once, in order, and dropped behind the reader.
    package let isSpooled: Bool

    private let base: UnsafeRawPointer
    private let release: @Sendable () -> Void

    /// Wraps memory. The caller must keep it valid and unchanged until `release` is called.
    ///
    /// - Parameters:
    ///   - base: the first byte of the top row.
    ///   - size: device px, at least 1 × 1.
    ///   - bytesPerRow: from the start of a row to the start of the next one; at least `4 * size.width`.
    ///   - isOpaque: true only if every pixel's alpha is 255.
    ///   - release: frees the memory; called once, on any thread.
    public convenience init(
        base: UnsafeRawPointer, size: PixelSize, bytesPerRow: Int, isOpaque: Bool,
        release: @escaping @Sendable () -> Void
    ) {
        self.init(
            base: base, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque, isSpooled: false, release: release)
    }

    /// - Parameter isSpooled: true for the pages of a file, which can be read again.
    init(
        base: UnsafeRawPointer, size: PixelSize, bytesPerRow: Int, isOpaque: Bool, isSpooled: Bool,
        release: @escaping @Sendable () -> Void
    ) {
        precondition(
            size.width > 0 && size.height > 0 && bytesPerRow >= 4 * size.width,
            "a picture has at least 1 × 1 device px, of 4 bytes each")
        self.base = base
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.isSpooled = isSpooled
        self.release = release
    }

    /// A part of another picture, which it retains.
    convenience init(part box: PixelBox, of whole: Pixmap) {
        self.init(
            base: whole.base + box.top * whole.bytesPerRow + 4 * box.left, size: box.size,
            bytesPerRow: whole.bytesPerRow, isOpaque: whole.isOpaque, isSpooled: whole.isSpooled
        ) {
            withExtendedLifetime(whole) {}
        }
    }

    deinit {
        // The system takes about a millisecond to free 10 MB, which is too long for a host's main thread.
        guard size.height * bytesPerRow > Self.most, Thread.isMainThread else { return release() }
        DispatchQueue.global(qos: .utility).async(execute: release)
    }

    /// The maximum number of bytes to free at once on any thread.
    private static let most = 4 << 20

    /// The first byte of the top row, for painting the whole picture. Nothing may write to the memory. It is valid as
    /// long as the pixmap.
    package var address: UnsafeRawPointer { base }

    /// Passes the pixels of a row to `body`, `4 * size.width` bytes.
    public func withRow<R, E>(_ y: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        precondition(y >= 0 && y < size.height, "there is no row \(y) in a picture of \(size)")
        defer { if isSpooled { dropPages(behind: y) } }
        return try body(UnsafeRawBufferPointer(start: base + y * bytesPerRow, count: 4 * size.width))
    }
}

extension Pixmap {
    /// Releases a few MB of rows once the last of them has been read. Another reader would read them from the file
    /// again.
    private func dropPages(behind y: Int) {
        let rows = max(1, (4 << 20) / bytesPerRow)
        guard (y + 1) % rows == 0 || y + 1 == size.height else { return }
        let first = y - y % rows
        SpoolFile.dropPages(
            of: UnsafeRawBufferPointer(
                start: base + first * bytesPerRow, count: (y - first) * bytesPerRow + 4 * size.width))
    }

    /// Makes a picture in its own memory, with no gaps between rows.
    ///
    /// - Parameters:
    ///   - size: device px, at least 1 × 1.
    ///   - isOpaque: true only if every pixel's alpha is 255.
    ///   - fill: writes all `4 * width * height` bytes, premultiplied BGRA.
    public static func filled(
        size: PixelSize, isOpaque: Bool, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> Pixmap {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * size.width * size.height, alignment: 16)
        fill(memory)
        // Pass the address, because a raw pointer is not Sendable. From here on, the pixmap is the only owner of the
        // memory.
        let address = UInt(bitPattern: memory.baseAddress)
        return Pixmap(
            base: UnsafeRawPointer(memory.baseAddress!), size: size, bytesPerRow: 4 * size.width, isOpaque: isOpaque
        ) {
            UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        }
    }
}
