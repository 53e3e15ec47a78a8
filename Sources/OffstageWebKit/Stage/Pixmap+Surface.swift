import CWebKitGTK
import Offstage

extension Offstage.Pixmap {
    /// Wraps a snapshot, without a copy: the surface, which is taken over, lives as long as the pixmap. WebKit maps its
    /// memory read-only, and cairo counts references atomically, so any thread may read it and let it go.
    convenience init(surface: OpaquePointer, cropped frame: PictureFrame, isOpaque: Bool) throws(DrawingError) {
        cairo_surface_flush(surface)
        let width = Int(cairo_image_surface_get_width(surface))
        let height = Int(cairo_image_surface_get_height(surface))
        guard let base = cairo_image_surface_get_data(surface), width >= frame.size.width, height >= frame.size.height
        else {
            cairo_surface_destroy(surface)
            throw .engineFailed("WebKit painted \(width) × \(height) device px of \(frame.size)")
        }
        // The address, because a pointer is not Sendable; the closure is the surface's only owner from here on.
        let address = UInt(bitPattern: surface)
        self.init(
            base: UnsafeRawPointer(base), size: frame.size,
            bytesPerRow: Int(cairo_image_surface_get_stride(surface)), isOpaque: isOpaque
        ) {
            cairo_surface_destroy(OpaquePointer(bitPattern: address))
        }
    }
}
