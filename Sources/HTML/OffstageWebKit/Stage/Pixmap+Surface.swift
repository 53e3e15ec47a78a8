import CWebKitGTK
import Offstage

/// A snapshot, freed with this object, even if it arrives too late for any caller.
///
/// `@unchecked Sendable` because WebKit maps its memory read-only, and cairo counts references atomically: any thread may read and
/// release it.
final class Surface: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer

    /// - Parameter pointer: the snapshot, which the new object owns.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { cairo_surface_destroy(pointer) }
}

extension Offstage.Pixmap {
    /// Wraps a snapshot, without a copy.
    convenience init(surface: Surface, isOpaque: Bool) throws(DrawingError) {
        let pointer = surface.pointer
        cairo_surface_flush(pointer)
        guard let base = cairo_image_surface_get_data(pointer) else {
            throw .engineFailed("WebKit's snapshot has no pixels")
        }
        let size = PixelSize(
            width: Int(cairo_image_surface_get_width(pointer)), height: Int(cairo_image_surface_get_height(pointer)))
        self.init(
            base: base, size: size, bytesPerRow: Int(cairo_image_surface_get_stride(pointer)), isOpaque: isOpaque
        ) { withExtendedLifetime(surface) {} }
    }

    /// Returns the parts of a snapshot in boxes.
    ///
    /// - Parameter areMoving: true if the document changes all the time, so that it is acceptable to cut off a part.
    /// - Throws: if the snapshot does not contain the boxes, see `holds`.
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

extension GdkRGBA {
    init(_ color: Color) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
