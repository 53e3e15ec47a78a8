import Offstage

/// How much WebKit paints at once. A document that is larger is painted in tiles.
package struct SnapshotLimits: Sendable {
    /// Device px. Cairo says so only after all the painting.
    package var side: Int
    /// From 2 GiB, at 4 bytes each, WebKit's web process crashes.
    var pixels = (1 << 31) / 4 - 1
    /// Device px of one tile, unless the viewport is larger: 16 MB. Smaller ones take longer, larger ones more memory in two
    /// processes and no less time.
    var tilePixels: Int
    /// Rows of one tile with its margins, unless the viewport is larger. Beyond them WebKit clips without antialiasing.
    static let smoothRows = 8_191

    /// - Parameters:
    ///   - side: device px.
    ///   - tilePixels: device px.
    package init(side: Int, tilePixels: Int) {
        self.side = side
        self.tilePixels = tilePixels
    }

    /// What WebKitGTK and cairo can do.
    static let engine = SnapshotLimits(side: 32_767, tilePixels: 4 << 20)

    /// Device px of a picture in tiles. WebKit places text in single precision, which up to there has 16 steps to a px.
    static let heightLimit = 1_000_000
    /// Of all pictures of a document in tiles together: 4 GiB in the temporary file.
    static let tiledPixelLimit = 1 << 30

    func hold(_ size: PixelSize) -> Bool {
        max(size.width, size.height) <= side && size.width * size.height <= pixels
    }

    /// - Parameter viewport: device px; every snapshot is as large, at least.
    func check(tilesOf boxes: [PixelBox], viewport: PixelSize) throws(DrawingError) {
        let extent = PixelBox(around: boxes)
        // From the document's left edge, where each tile begins.
        let size = PixelSize(width: extent.right, height: extent.size.height)
        let limit = PixelSize(width: side, height: Self.heightLimit)
        guard size.width <= limit.width, size.height <= limit.height else {
            throw .tooLarge(measured: size, limit: limit)
        }
        guard hold(viewport) else { throw .tooLarge(measured: viewport, limit: PixelSize(width: side, height: side)) }
        guard size.width * size.height <= Self.tiledPixelLimit else {
            throw .tooManyPixels(measured: size, limit: Self.tiledPixelLimit)
        }
    }
}

extension PixelBox {
    /// The smallest box around others, of which there is at least one.
    init(around boxes: [PixelBox]) {
        self.init(
            left: boxes.map(\.left).min()!, top: boxes.map(\.top).min()!, right: boxes.map(\.right).max()!,
            bottom: boxes.map(\.bottom).max()!)
    }
}
