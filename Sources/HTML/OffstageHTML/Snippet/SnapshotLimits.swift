import Offstage

/// The limits of a single WebKit snapshot. A larger document is painted in tiles.
package struct SnapshotLimits: Sendable {
    /// The maximum device px of a side. Cairo reports a larger side only after everything is painted.
    package var side: Int
    /// The maximum device px of a snapshot. At 4 bytes each, WebKit's web process crashes from 2 GiB on.
    var pixels = (1 << 31) / 4 - 1
    /// The maximum device px of one tile, unless the viewport is larger. The engine's value takes 16 MB. Smaller tiles
    /// are slower; larger ones use more memory in two processes and are not faster.
    package var tilePixels: Int
    /// The maximum rows of one tile including its margins, in device px, unless the viewport is higher. In a higher
    /// tile, WebKit clips without antialiasing.
    package static let smoothRows = 8_191

    /// - Parameters:
    ///   - side: Maximum device px of a side.
    ///   - tilePixels: Maximum device px of a tile.
    package init(side: Int, tilePixels: Int) {
        self.side = side
        self.tilePixels = tilePixels
    }

    /// The limits of WebKitGTK and cairo.
    package static let engine = SnapshotLimits(side: 32_767, tilePixels: 4 << 20)

    /// Maximum height of a picture in tiles, in device px. WebKit positions text in single precision, which has at least 16
    /// steps per px up to this height.
    package static let heightLimit = 1_000_000
    /// Maximum device px of all pictures of a document in tiles together: 4 GiB in the temporary file.
    static let tiledPixelLimit = 1 << 30

    package func hold(_ size: PixelSize) -> Bool {
        max(size.width, size.height) <= side && size.width * size.height <= pixels
    }

    /// - Parameter viewport: Device px. Every snapshot has at least this size.
    package func check(tilesOf boxes: [PixelBox], viewport: PixelSize) throws(DrawingError) {
        let extent = PixelBox(around: boxes)
        // Each tile starts at the document's left edge.
        let size = PixelSize(width: extent.right, height: extent.size.height)
        let limit = PixelSize(width: side, height: Self.heightLimit)
        guard size.width <= limit.width, size.height <= limit.height else {
            throw .tooLarge(measured: size, limit: limit)
        }
        guard max(viewport.width, viewport.height) <= side else {
            throw .tooLarge(measured: viewport, limit: PixelSize(width: side, height: side))
        }
        guard hold(viewport) else { throw .tooManyPixels(measured: viewport, limit: pixels) }
        guard size.width * size.height <= Self.tiledPixelLimit else {
            throw .tooManyPixels(measured: size, limit: Self.tiledPixelLimit)
        }
    }
}

extension PixelBox {
    /// The smallest box that contains all boxes. Requires at least one box.
    package init(around boxes: [PixelBox]) {
        self.init(
            left: boxes.map(\.left).min()!, top: boxes.map(\.top).min()!, right: boxes.map(\.right).max()!,
            bottom: boxes.map(\.bottom).max()!)
    }
}
