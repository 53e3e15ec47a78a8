import CGTK
import Offstage

/// A picture ready to paint: its pixels as surfaces that cairo paints without copying, and, after the first frame, a
/// copy on the X server.
@MainActor
final class RowPicture {
    enum Quality: Comparable { case thumbnail, stale, full }

    let image: RenderedPicture
    let quality: Quality
    /// The size at which the picture was requested.
    let asked: PictureSizing
    /// The size in GTK px, at `askedWidth`.
    let width: Double
    let height: Double
    /// The possible error of `height`: 0 except for thumbnails, whose sides are rounded to whole device px.
    let heightDoubt: Double
    private let bands: [(surface: OpaquePointer, top: Double)]
    /// The same surface on the X server, which paints it in every frame of a scroll. Otherwise cairo would send all
    /// pixels again each time, through newly allocated memory. Nil before the first frame, and for large pictures.
    private(set) var uploaded: OpaquePointer?

    var identifier: String { image.identifier }
    /// The width at which the picture was requested, GTK px.
    var askedWidth: Int { asked.width }
    var zoom: Double { asked.zoom }

    /// Cairo does not paint surfaces longer than 32,767 device px.
    private static let longest = 16_384

    /// - Parameter asked: the size that was requested.
    init(_ image: RenderedPicture, _ quality: Quality, _ asked: PictureSizing) {
        self.image = image
        self.quality = quality
        self.asked = asked
        let (size, askedWidth, zoom) = (image.size, asked.width, asked.zoom)
        // A thumbnail represents a picture of the full width.
        let scale = quality == .thumbnail ? Double(size.width) / Double(max(1, askedWidth)) : image.scale / zoom
        width = Double(size.width) / scale
        height = Double(size.height) / scale
        heightDoubt = quality == .thumbnail ? 0.5 / scale + 0.5 * height / Double(max(1, size.width)) + 1 : 0
        bands = stride(from: 0, to: size.height, by: Self.longest).map { top in
            let rows = min(Self.longest, size.height - top)
            return (Self.surface(of: image.pixmap, rows: top..<top + rows, scale: scale), Double(top) / scale)
        }
    }

    /// Device px. Sending more would take over a millisecond; of larger pictures, cairo sends only the visible part.
    private static let largestUpload = 1 << 20

    isolated deinit {
        for band in bands { cairo_surface_destroy(band.surface) }
        if let uploaded { cairo_surface_destroy(uploaded) }
    }

    /// The surface reads the pixmap's memory, and retains the pixmap.
    static func surface(of pixmap: Offstage.Pixmap, rows: Range<Int>, scale: Double) -> OpaquePointer {
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
    ///   - x, y: the top left corner, GTK px.
    ///   - factor: the enlargement; 1 for a picture at the width at which it was requested.
    ///   - room: the height of the row without padding, GTK px; a thumbnail fills it.
    func paint(_ context: OpaquePointer, x: Double, y: Double, factor: Double, room: Double) {
        paint(context, x: x, y: y, across: factor, down: quality == .thumbnail ? room / height : factor)
    }

    /// Paints the picture so that it fills a box, GTK px.
    func paint(_ context: OpaquePointer, x: Double, y: Double, width: Double, height: Double) {
        paint(context, x: x, y: y, across: width / self.width, down: height / self.height)
    }

    /// Copies the picture to the X server on which the context draws, unless it is already there, is a thumbnail, or is
    /// too large.
    private func upload(for context: OpaquePointer) {
        let size = image.size
        guard uploaded == nil, quality != .thumbnail, bands.count == 1, size.width * size.height <= Self.largestUpload,
            let target = cairo_get_group_target(context), cairo_surface_get_type(target) == CAIRO_SURFACE_TYPE_XLIB
        else { return }
        let content = image.pixmap.isOpaque ? CAIRO_CONTENT_COLOR : CAIRO_CONTENT_COLOR_ALPHA
        var (scale, other) = (1.0, 1.0)
        cairo_surface_get_device_scale(target, &scale, &other)
        let copy = cairo_surface_create_similar(
            target, content, Int32((Double(size.width) / scale).rounded(.up)),
            Int32((Double(size.height) / scale).rounded(.up)))!
        cairo_surface_get_device_scale(bands[0].surface, &scale, &other)
        cairo_surface_set_device_scale(copy, scale, scale)
        let painter = cairo_create(copy)!
        cairo_set_operator(painter, CAIRO_OPERATOR_SOURCE)
        cairo_set_source_surface(painter, bands[0].surface, 0, 0)
        // The copy may be a device px larger than the picture: a scaled one also samples its edges.
        cairo_pattern_set_extend(cairo_get_source(painter), CAIRO_EXTEND_PAD)
        cairo_paint(painter)
        let isComplete = cairo_status(painter) == CAIRO_STATUS_SUCCESS
        cairo_destroy(painter)
        if isComplete, cairo_surface_status(copy) == CAIRO_STATUS_SUCCESS {
            uploaded = copy
        } else {
            cairo_surface_destroy(copy)
        }
    }

    private func paint(_ context: OpaquePointer, x: Double, y: Double, across: Double, down: Double) {
        upload(for: context)
        let isScaled = quality == .thumbnail || across != 1 || down != 1
        cairo_save(context)
        cairo_translate(context, x, y)
        if isScaled { cairo_scale(context, across, down) }
        for (index, band) in bands.enumerated() {
            let bottom = index + 1 < bands.count ? bands[index + 1].top : height
            cairo_set_source_surface(context, uploaded ?? band.surface, 0, band.top)
            // Without this, the edges of an enlarged surface would fade.
            if isScaled { cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD) }
            cairo_rectangle(context, 0, band.top, width, bottom - band.top)
            cairo_fill(context)
        }
        cairo_restore(context)
    }
}

/// Its address is the key for the data that surfaces retain. Nothing reads or writes the memory, so sharing it is safe.
nonisolated(unsafe) private let pixmapKey = UnsafePointer(
    UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1))
