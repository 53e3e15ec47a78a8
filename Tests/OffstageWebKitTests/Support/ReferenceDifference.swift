import CGTK
import Foundation
import Offstage

/// A picture that differs from its reference, with pictures that show where.
struct ReferenceDifference {
    /// The text for a failure's message.
    let summary: String
    private let image: RenderedPicture
    private let reference: String
    private let difference: Offstage.Pixmap?

    /// - Returns: nil if all pixels are equal.
    init?(of image: RenderedPicture, to reference: String) throws {
        self.image = image
        self.reference = reference
        guard let recorded = Recorded(path: reference) else {
            summary = "no reference; record one"
            difference = nil
            return
        }
        guard recorded.size == image.size else {
            summary = "\(image.size), not \(recorded.size)"
            difference = nil
            return
        }
        if recorded.isEqual(to: image.pixmap) { return nil }
        let count = zip(image.pixels, recorded.pixels).count { $0 != $1 }
        summary = "\(count) of \(recorded.pixels.count) pixels differ"
        difference = Offstage.Pixmap.filled(size: image.size, isOpaque: true) { memory in
            // Red where the pictures differ, over a faint copy.
            for (index, (pixel, other)) in zip(image.pixels, recorded.pixels).enumerated() {
                let faint = 192 + pixel.green / 4
                let bgra: [UInt8] = pixel == other ? [faint, faint, faint, 255] : [0, 0, 255, 255]
                for (offset, byte) in bgra.enumerated() { memory[4 * index + offset] = byte }
            }
        }
    }

    func write(to folder: String, name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try image.write(to: "\(folder)/\(name).result.png")
        if let bytes = FileManager.default.contents(atPath: reference) {
            try AtomicFile.write(bytes, to: "\(folder)/\(name).reference.png")
        }
        if let difference {
            try AtomicFile.write(PNGEncoder().encode(difference, scale: 1), to: "\(folder)/\(name).difference.png")
        }
    }
}

/// An opaque PNG, read with cairo, which is independent of the library that writes it.
private final class Recorded {
    let size: PixelSize
    private let surface: OpaquePointer

    init?(path: String) {
        guard let surface = cairo_image_surface_create_from_png(path) else { return nil }
        self.surface = surface
        size = PixelSize(
            width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)))
        if cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS { return nil }
    }

    deinit { cairo_surface_destroy(surface) }

    private func row(_ y: Int) -> UnsafeRawBufferPointer {
        let start = y * Int(cairo_image_surface_get_stride(surface))
        return UnsafeRawBufferPointer(start: cairo_image_surface_get_data(surface)! + start, count: 4 * size.width)
    }

    func isEqual(to pixmap: Offstage.Pixmap) -> Bool {
        (0..<size.height).allSatisfy { y in
            pixmap.withRow(y) { memcmp($0.baseAddress!, row(y).baseAddress!, $0.count) == 0 }
        }
    }

    var pixels: [Pixel] {
        (0..<size.height).flatMap { y in
            let row = row(y)
            return (0..<size.width).map { Pixel(row[4 * $0 + 2], row[4 * $0 + 1], row[4 * $0]) }
        }
    }
}
