import CGTK
import Offstage
import OffstagePages

/// The pixels of a page, or of a part of one, ready to paint.
@MainActor
final class PageSurface {
    /// The size, device px.
    let size: PixelSize
    /// The part of the page.
    let part: PagePart
    private let pixmap: Offstage.Pixmap
    private let surface: OpaquePointer
    private var dark: OpaquePointer?

    init(_ pixmap: Offstage.Pixmap, part: PagePart = .whole) {
        self.pixmap = pixmap
        self.part = part
        size = pixmap.size
        surface = RowPicture.surface(of: pixmap, rows: 0..<size.height, scale: 1)
    }

    isolated deinit {
        cairo_surface_destroy(surface)
        if let dark { cairo_surface_destroy(dark) }
    }

    /// Prepares the dark picture in advance, so that no frame has to.
    func darken() {
        if dark != nil { return }
        dark = RowPicture.surface(of: PageMargins.darkened(pixmap), rows: 0..<size.height, scale: 1)
    }

    /// The part of the page with content.
    func content() -> PagePart { PageMargins.content(of: pixmap) }

    /// Paints the pixels into the page's box. A picture of about the box's size is not scaled, and stays sharp.
    ///
    /// - Parameters:
    ///   - box: the whole page's box, GTK px.
    ///   - deviceScale: device px per GTK px.
    ///   - isDark: true to invert lightness, for a dark room.
    func paint(_ context: OpaquePointer, in box: PageLayout.Box, deviceScale: Double, isDark: Bool) {
        let place = PageLayout.Box(
            x: box.x + part.x * box.width, y: box.y + part.y * box.height, width: part.width * box.width,
            height: part.height * box.height)
        if isDark { darken() }
        let source = isDark ? dark ?? surface : surface
        cairo_save(context)
        let isNative =
            abs(place.width * deviceScale - Double(size.width)) < 2
            && abs(place.height * deviceScale - Double(size.height)) < 2
        if isNative {
            func whole(_ value: Double) -> Double { (value * deviceScale).rounded() / deviceScale }
            cairo_translate(context, whole(place.x), whole(place.y))
            cairo_scale(context, 1 / deviceScale, 1 / deviceScale)
        } else {
            cairo_translate(context, place.x, place.y)
            cairo_scale(context, place.width / Double(size.width), place.height / Double(size.height))
        }
        cairo_set_source_surface(context, source, 0, 0)
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_pattern_set_filter(cairo_get_source(context), isNative ? CAIRO_FILTER_FAST : CAIRO_FILTER_BILINEAR)
        cairo_rectangle(context, 0, 0, Double(size.width), Double(size.height))
        cairo_fill(context)
        cairo_restore(context)
    }
}
