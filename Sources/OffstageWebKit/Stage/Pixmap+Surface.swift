import CWebKitGTK
import Offstage

extension Offstage.Pixmap {
    /// Wraps a snapshot, without a copy: the surface, which is taken over, lives as long as the pixmap. WebKit maps its
    /// memory read-only, and cairo counts references atomically, so any thread may read it and let it go.
    convenience init(surface: OpaquePointer, isOpaque: Bool) throws(DrawingError) {
        cairo_surface_flush(surface)
        guard let base = cairo_image_surface_get_data(surface) else {
            cairo_surface_destroy(surface)
            throw .engineFailed("WebKit's snapshot has no pixels")
        }
        let size = PixelSize(
            width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)))
        // The address, because a pointer is not Sendable; the closure is the surface's only owner from here on.
        let address = UInt(bitPattern: surface)
        self.init(
            base: base, size: size, bytesPerRow: Int(cairo_image_surface_get_stride(surface)), isOpaque: isOpaque
        ) {
            cairo_surface_destroy(OpaquePointer(bitPattern: address))
        }
    }

    /// The boxes' parts of a snapshot.
    ///
    /// - Parameter areMoving: the document changes all the time; what is there now is as right as anything.
    /// - Throws: unless it `holds` them.
    func parts(_ boxes: [PixelBox], areMoving: Bool = false) throws(DrawingError) -> [Offstage.Pixmap] {
        var parts: [Offstage.Pixmap] = []
        for box in boxes {
            guard holds(box) || areMoving && box.left < size.width && box.top < size.height else {
                throw .engineFailed("WebKit painted \(size) device px, not \(box.right) × \(box.bottom)")
            }
            parts.append(
                cropped(
                    to: PixelBox(
                        left: box.left, top: box.top, right: min(box.right, size.width),
                        bottom: min(box.bottom, size.height))))
        }
        return parts
    }

    func holds(_ boxes: [PixelBox]) -> Bool { boxes.allSatisfy(holds) }

    private func holds(_ box: PixelBox) -> Bool { box.right <= size.width && box.bottom <= size.height }
}
