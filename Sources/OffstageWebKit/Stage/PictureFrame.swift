import CWebKitGTK
import Foundation
import Offstage

/// Which part of a document becomes the picture; made before anything is painted.
struct PictureFrame {
    /// What WebKit is asked to paint.
    let region: WebKitSnapshotRegion
    /// Of the picture, device px.
    let size: PixelSize

    /// A side of a picture, device px: cairo's limit. It says so only after all the painting.
    static let sideLimit = 32_767
    /// Pixels of a picture: from 2 GiB, at 4 bytes each, WebKit's web process crashes.
    static let pixelLimit = (1 << 31) / 4 - 1

    init(_ geometry: Geometry, _ readiness: Readiness) throws(DrawingError) {
        let scale = geometry.scale
        let height: Int
        switch geometry.height {
        case .fixed(let fixed): height = fixed
        case .content: height = readiness.height
        }
        guard height > 0 else { throw .zeroHeight }
        let viewport = geometry.resolvedViewportHeight
        // The viewport alone, where it holds all that is wanted of a document that goes beyond it.
        let isWithinViewport = viewport >= height && (readiness.height > viewport || readiness.width > geometry.width)
        region = isWithinViewport ? WEBKIT_SNAPSHOT_REGION_VISIBLE : WEBKIT_SNAPSHOT_REGION_FULL_DOCUMENT
        let painted =
            isWithinViewport
            ? PixelSize(width: geometry.width, height: viewport)
            : PixelSize(width: readiness.width, height: max(height, readiness.height))
        let measured = PixelSize(width: Self.device(painted.width, scale), height: Self.device(painted.height, scale))
        guard max(measured.width, measured.height) <= Self.sideLimit else {
            throw .tooLarge(measured: measured, limit: Self.sideLimit)
        }
        guard measured.width * measured.height <= Self.pixelLimit else {
            throw .tooManyPixels(measured: measured, limit: Self.pixelLimit)
        }
        size = PixelSize(width: Self.device(geometry.width, scale), height: Self.device(height, scale))
        // What is painted and cut off again is in no file.
        if let limit = geometry.formatLimit, max(size.width, size.height) > limit.side {
            throw .tooLargeForFormat(measured: size, limit: limit)
        }
    }

    private static func device(_ length: Int, _ scale: Double) -> Int { Int((Double(length) * scale).rounded()) }
}

extension Geometry {
    /// CSS px.
    var resolvedViewportHeight: Int {
        if let viewportHeight { return viewportHeight }
        if case .fixed(let height) = height { return height }
        return 1
    }
}
