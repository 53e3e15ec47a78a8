import CWebKitGTK
import Offstage

/// A picture, ready to paint: its pixels as surfaces that cairo paints without a copy.
@MainActor
final class RowPicture {
    enum Quality: Comparable { case thumbnail, stale, full }

    let image: RenderedImage
    let quality: Quality
    /// CSS px, that it was asked for at.
    let askedWidth: Int
    let zoom: Double
    /// CSS px, at `askedWidth`.
    let width: Double
    let height: Double
    /// By how much `height` may be wrong, CSS px: 0 but for a thumbnail, whose sides are whole numbers.
    let heightDoubt: Double
    private let bands: [(surface: OpaquePointer, top: Double)]

    var identifier: String { image.identifier }

    /// Cairo paints no surface that is longer than 32,767 px.
    private static let longest = 16_384

    /// - Parameter zoom: px of the list to a CSS px of the request, at `askedWidth`.
    init(_ image: RenderedImage, _ quality: Quality, askedWidth: Int, zoom: Double = 1) {
        self.image = image
        self.quality = quality
        self.askedWidth = askedWidth
        self.zoom = zoom
        let size = image.size
        // A thumbnail stands for a picture of the whole width.
        let scale = quality == .thumbnail ? Double(size.width) / Double(max(1, askedWidth)) : image.scale / zoom
        width = Double(size.width) / scale
        height = Double(size.height) / scale
        heightDoubt = quality == .thumbnail ? 0.5 / scale + 0.5 * height / Double(max(1, size.width)) + 1 : 0
        bands = stride(from: 0, to: size.height, by: Self.longest).map { top in
            let rows = min(Self.longest, size.height - top)
            return (Self.surface(of: image.pixmap, rows: top..<top + rows, scale: scale), Double(top) / scale)
        }
    }

    isolated deinit { for band in bands { cairo_surface_destroy(band.surface) } }

    /// The surface reads the pixmap's memory, which it keeps alive.
    private static func surface(of pixmap: Offstage.Pixmap, rows: Range<Int>, scale: Double) -> OpaquePointer {
        // Nothing draws on the surface, so nothing writes to the memory.
        let base = UnsafeMutableRawPointer(mutating: pixmap.address) + rows.lowerBound * pixmap.bytesPerRow
        let surface = cairo_image_surface_create_for_data(
            base.assumingMemoryBound(to: UInt8.self), pixmap.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
            Int32(pixmap.size.width), Int32(rows.count), Int32(pixmap.bytesPerRow))!
        cairo_surface_set_user_data(
            surface, pixmapKey, Unmanaged.passRetained(pixmap).toOpaque(),
            { Unmanaged<Offstage.Pixmap>.fromOpaque($0!).release() })
        cairo_surface_set_device_scale(surface, scale, scale)
        return surface
    }

    /// - Parameters:
    ///   - x, y: of its top left corner, px.
    ///   - factor: 1 for a picture at the width that it was asked for.
    ///   - room: px that the row has for it from top to bottom; a thumbnail fills them.
    func paint(_ context: OpaquePointer, x: Double, y: Double, factor: Double, room: Double) {
        let isThumbnail = quality == .thumbnail
        cairo_save(context)
        cairo_translate(context, x, y)
        if isThumbnail || factor != 1 { cairo_scale(context, factor, isThumbnail ? room / height : factor) }
        for (index, band) in bands.enumerated() {
            let bottom = index + 1 < bands.count ? bands[index + 1].top : height
            cairo_set_source_surface(context, band.surface, 0, band.top)
            // Enlarged, it would fade into what is outside it.
            if isThumbnail || factor != 1 { cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD) }
            cairo_rectangle(context, 0, band.top, width, bottom - band.top)
            cairo_fill(context)
        }
        cairo_restore(context)
    }
}

/// Its address is the key of what surfaces keep alive; nothing is ever read or written there.
nonisolated(unsafe) private let pixmapKey = UnsafePointer(
    UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1))
